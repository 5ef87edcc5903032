"""How long the nets take as they are installed, beside the exact ones: python -m benchmarks.rounded_nets"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from benchmarks import RESULTS
from benchmarks.virtual_readings import take_picture
from training.quantize import Listener
from vision.eyes import Eyes
from vision.eyes.nets import net_of, session_of

EXACT = Path(__file__).parents[1] / "training" / "weights"
SEED = 7
ROUNDS = 25


def main() -> None:
    """Asks both the same questions by turns, those of one virtual photograph, and writes down how long each took."""
    picture, _ = take_picture("homeworlds", SEED)
    eyes = Eyes()
    lines = [
        f"A virtual photograph of Homeworlds, {picture.image.shape[1]}×{picture.image.shape[0]}, one thread, "
        f"{ROUNDS} rounds by turns: median milliseconds of one look. `python -m benchmarks.rounded_nets`\n",
        "| net | exact | as installed | share of the time |",
        "|---|--:|--:|--:|",
    ]
    listeners = {net.name: Listener(session_of(net_of(net.name))) for net in eyes.nets}
    for net in eyes.nets:
        net.session = listeners[net.name]
    eyes.look(eyes.lit(picture.image))
    for name, listener in listeners.items():
        exact, taken = session_of((EXACT / name).read_bytes()), {"exact": [0.0], "rounded": [0.0]}
        for _ in range(ROUNDS + 1):
            for which, net in (("exact", exact), ("rounded", listener.net)):
                start = time.perf_counter()
                for question in listener.asked:
                    net.run(None, question)
                taken[which].append((time.perf_counter() - start) * 1e3)
        slow, quick = (statistics.median(taken[which][2:]) for which in ("exact", "rounded"))
        lines.append(f"| {name} | {slow:.0f} | {quick:.0f} | {quick / slow:.2f} |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    (RESULTS / "rounded_nets.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
