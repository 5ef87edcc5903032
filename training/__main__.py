"""``python -m training train | export | examine | weigh | …``: from scenes to eyes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Told = TypeVar("Told")


@click.group()
def main() -> None:
    """Trains the eyes on scenes, writes them as ONNX and measures them."""


@main.command()
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path))
@click.option("--first", default=0, show_default=True, help="Seed of the first picture.")
@click.option("--count", default=300, show_default=True)
def virtual(out: Path, first: int, count: int) -> None:
    """Writes photographs of the virtual table with their truth, to train on beside the generated scenes."""
    from training.virtual_scenes import write_scenes

    write_scenes(out, range(first, first + count))


@main.command()
@click.option("--net", type=click.Choice(["eyes", "inspector", "pips"]), default="eyes", show_default=True)
@click.option("--begin-as", default="", help="Run of the eyes, of which the inspector takes over how to see.")
@click.option("--begin-with", default="", help="An exported net to train further.")
@click.option("--scenes", required=True, multiple=True, help="Folder to train on; may be told more than once.")
@click.option("--validation", default="", help="Folder to measure on; default: “validation” beside the last folder.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the run; resumed if begun.")
@click.option("--seed", default=1, show_default=True)
@click.option("--hours", required=True, type=float, help="Wall clock over all resumptions.")
@click.option("--batch", default=8, show_default=True, help="Crops in a step.")
@click.option("--rate", default=2e-3, show_default=True, help="Highest learning rate.")
@click.option("--threads", default=2, show_default=True)
@click.option("--workers", default=1, show_default=True, help="Processes that make crops; 0 makes them in between.")
@click.option("--echoes", default=1, show_default=True, help="Times that each crop is learnt from.")
@click.option("--half/--whole", default=False, help="Compute in bfloat16: twice as fast on processors that know it.")
@click.option("--device", default="cpu", show_default=True, help="What torch computes on, such as cuda.")
@click.option("--check-minutes", default=10.0, show_default=True, help="Between two measurements.")
def train(
    net: str, begin_as: str, begin_with: str, scenes: tuple[str, ...], validation: str, out: Path, **told: Any
) -> None:
    """Trains for some hours; logs losses.csv and validation.csv; stop and start it as you like."""
    from training.run import Plan, Run
    from training.subjects import subject_of

    beside = validation or str(Path(scenes[-1]).parent / "validation")
    plan = Plan(net=net, begin_as=begin_as, begin_with=begin_with, scenes=scenes, validation=beside, **told)
    Run(subject_of(net, begin_as), plan, out).train()


@main.command()
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path))
def export(run: Path, out: Path) -> None:
    """Writes the net of a RUN as an ONNX file, and checks it."""
    from training.export import export as export_net

    click.echo(f"{out}: {export_net(run, out)} bytes")


@main.command()
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path))
def average(before: Path, after: Path, out: Path) -> None:
    """Writes the mean of two exported nets, of which AFTER was trained further from BEFORE."""
    from training.average import average as average_nets

    average_nets(before, after, out)


@main.command()
@click.option("--scenes", required=True, multiple=True, help="Folder trained on; may be told more than once.")
@click.option("--most", default=24, show_default=True, help="Pictures to look at in each, the first ones.")
@click.option("--exact", default="training/weights", show_default=True, type=click.Path(path_type=Path))
@click.option("--out", default="vision/eyes/weights", show_default=True, type=click.Path(path_type=Path))
def quantize(scenes: tuple[str, ...], most: int, exact: Path, out: Path) -> None:
    """Writes the exported nets with most of their convolutions in whole numbers, for pictures as in those scenes."""
    from training.quantize import quantize as quantize_nets
    from training.truth import scene_files

    files = [file for folder in scenes for file in scene_files(Path(folder))[:most]]
    for name, size in quantize_nets(exact, [file.with_suffix(".jpg") for file in files], out).items():
        click.echo(f"{out / name}: {size} bytes")


@main.command()
@click.option("--scenes", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--net", default="detector.onnx", show_default=True, help="File in vision/eyes/weights, or a path.")
@click.option("--most", type=int, help="Only the first so many scenes.")
@click.option("--missed", is_flag=True, help="Also list the pieces that were not found.")
def score(scenes: Path, net: str, most: int | None, *, missed: bool) -> None:
    """Measures the eyes on scenes: found, extra, colour, posture, and how far off the corners are."""
    from training.score import score as score_scenes
    from vision.eyes import Detector

    name = str(Path(net).resolve()) if Path(net).is_file() else net
    tally = score_scenes(scenes, Detector(name=name).look, most=most)
    for name, value in tally.row().items():
        click.echo(f"{name:16} {value:.4f}")
    if missed:
        click.echo("\n".join(tally.missed))


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--net", type=click.Choice(["eyes", "inspector", "pips"]), default="eyes", show_default=True)
@click.option("--scenes", required=True, multiple=True, help="Folder that no net has learnt from; told once or more.")
@click.option("--lessons", default=56, show_default=True, help="How many are put to each net.")
@click.option("--batch", default=64, show_default=True, help="Samples in a lesson.")
@click.option("--seed", default=1, show_default=True)
def examine(files: tuple[Path, ...], net: str, scenes: tuple[str, ...], lessons: int, batch: int, seed: int) -> None:
    """Compares exported nets of one kind: the parts of the loss of each of the FILES, on the same spoilt crops."""
    from training.examining import examined
    from training.subjects import subject_of

    folders = [Path(folder) for folder in scenes]
    for file, parts in zip(files, examined(subject_of(net), files, folders, lessons, batch, seed), strict=True):
        click.echo(f"{file}: " + ", ".join(f"{name} {value:.4f}" for name, value in parts.items()))


def _reads_scenes(command: Callable[..., None]) -> Callable[..., None]:
    """The options of what learns from readings of scenes."""
    scenes = click.option("--scenes", required=True, multiple=True, help="Folder to learn from; told once or more.")
    workers = click.option("--workers", default=1, show_default=True, help="Processes that read scenes.")
    out = click.option("--out", default="vision/fusing", show_default=True, type=click.Path(path_type=Path))
    return scenes(workers(out(command)))


def _read(read: Callable[[Path], Told], scenes: tuple[str, ...], workers: int) -> list[Told]:
    """What a function makes of each scene in some folders, with a progress bar."""
    from training.looking import of_each
    from training.truth import scene_files

    files = [file for folder in scenes for file in scene_files(Path(folder))]
    with click.progressbar(of_each(read, files, workers), len(files), label="reading") as bar:
        return list(bar)


@main.command()
@_reads_scenes
def weigh(scenes: tuple[str, ...], workers: int, out: Path) -> None:
    """Weighs the signs of pieces and of sizes, on scenes that the eyes were not trained on; after every new net."""
    from training.weighing import report, weigh_signs

    told = [each for each in _read(report, scenes, workers) if each is not None]
    for name, count in weigh_signs(told, out).items():
        click.echo(f"{out / name}: {count} pieces")


@main.command()
@_reads_scenes
def pair(scenes: tuple[str, ...], workers: int, out: Path) -> None:
    """Learns what tells the second star of a home, on scenes that the eyes were not trained on; after weighing."""
    from training.pairing import examples_in, learn_pairs

    told = [example for several in _read(examples_in, scenes, workers) for example in several]
    click.echo(f"{learn_pairs(told, out)}: {len(told)} homes")


@main.command()
@click.option("--first", default=5_200_000, show_default=True, help="Seed of the first planned table.")
@click.option("--count", default=8000, show_default=True)
@click.option("--workers", default=1, show_default=True, help="Processes that plan tables.")
@click.option("--out", default="vision/finding", show_default=True, type=click.Path(path_type=Path))
def heaps(first: int, count: int, workers: int, out: Path) -> None:
    """Learns what tells a system from part of a heap, on planned tables that are not drawn; needs no net."""
    from training.heaping import examples_of, learn_heaps
    from training.looking import of_each

    with click.progressbar(
        of_each(examples_of, range(first, first + count), workers), count, label="planning"
    ) as bar:
        told = [example for several in bar for example in several]
    click.echo(f"{learn_heaps(told, out)}: {sum(len(example.system) for example in told)} crews")


if __name__ == "__main__":
    main()
