"""Odd requests to the page, made of real ones, in every state of its games: none may break it.

::

    python -m benchmarks.fuzz_requests
"""

from __future__ import annotations

import argparse
import logging
import socket
import tempfile
import threading
from collections import Counter
from pathlib import Path
from queue import Queue
from typing import Final
from urllib.parse import quote

from benchmarks.fuzzing import RESULTS, Run
from benchmarks.odd_requests import Request, Spoiler
from benchmarks.whole_page import WholePage
from companion_app.web import run as serve

CASES: Final = 5000
AS_IT_IS: Final = 0.25
"""The share of requests with nothing wrong with them, so that games come from state to state."""
OVER_A_SOCKET: Final = 0.1
LOOKS: Final = 0.25
"""The share of requests that only ask for something."""
REVIVED_EVERY: Final = 40
DOCUMENTED: Final = (503, 507)
CASE_LIMIT_S: Final = 20.0


class Troubles(logging.Handler):
    """Tracebacks that were logged, by whatever thread."""

    def __init__(self, run: Run) -> None:
        super().__init__(logging.ERROR)
        self._run = run
        self.during = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Note it, with the request that was being answered."""
        trace = self.format(record)
        self._run.fault(f"{self.during}\n{trace}")


def fuzz(run: Run, folder: Path) -> Counter[str]:
    """Send all cases of *run* to a page in *folder*; how many were about games in which state."""
    states: Counter[str] = Counter()
    troubles = Troubles(run)
    logging.getLogger().addHandler(troubles)
    page = WholePage(folder, run.random)
    spoiler, address = Spoiler(run.random), _served(page)
    try:
        for number in run.numbers():
            if number % REVIVED_EVERY == 0:
                page.revive()
            request = page.asked() if run.random.random() < LOOKS else page.sent()
            if run.random.random() >= AS_IT_IS:
                request = spoiler.spoilt(request)
            label = (
                f"request {number}: {request.method} {request.path[:200]} {request.headers} {request.body[:300]!r}"
            )
            troubles.during = label
            states[page.state_of(request.path)] += 1
            with run.case(label):
                # the test client takes what follows two slashes for a host; a server does not
                over_socket = run.random.random() < OVER_A_SOCKET or request.path.startswith("//")
                status = _sent(address, request) if over_socket else _asked(run, page, request, label)
                run.count(f"{request.method} {status or 'closed'}{' over a socket' if over_socket else ''}")
                if status >= 500 and status not in DOCUMENTED:
                    run.fault(f"{status}: {label}")
    finally:
        page.close()
        logging.getLogger().removeHandler(troubles)
    return states


def _asked(run: Run, page: WholePage, request: Request, label: str) -> int:
    """The status of the application's own answer."""
    with page.client.open(
        request.path, method=request.method, headers=request.all_headers, data=request.body
    ) as answer:
        if answer.mimetype != "text/event-stream" and b"Traceback (most recent call last)" in answer.data:
            run.fault(f"A traceback was shown: {label}")
        return answer.status_code


def _sent(address: tuple[str, int], request: Request) -> int:
    """The status of the server's answer; 0 where it only closed the connection."""
    path = quote(request.path, safe="/%?&=;+'\\[]{}*()!,:.")
    headers = {"Host": "localhost", "Connection": "close", "Content-Length": str(len(request.body))}
    lines = [f"{request.method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in (headers | request.all_headers).items())]
    with socket.create_connection(address, timeout=CASE_LIMIT_S) as connection:
        try:
            connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + request.body)
            head = connection.recv(4096)
        except ConnectionError:  # it has read enough
            return 0
    return int(head[9:12]) if head[9:12].isdigit() else 0


def _served(page: WholePage) -> tuple[str, int]:
    """Serve the page as it is to people, on a thread that ends with the program."""
    address = Queue[str]()
    threading.Thread(target=serve, args=(page.app,), kwargs={"ready": address.put}, daemon=True).start()
    host, _, port = address.get(timeout=20).removeprefix("http://").rstrip("/").partition(":")
    return host, int(port)


def main() -> None:
    """Run in full, or as many cases as are wished for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    run = Run("Requests", seed=wish.seed, cases=wish.cases, case_limit_s=CASE_LIMIT_S, run_limit_s=3000)
    memory = Path("/dev/shm")  # noqa: S108 — where there is such a thing: this is not about the disk
    where = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where, ignore_cleanup_errors=True) as folder:
        states = fuzz(run, Path(folder))
    about = ", ".join(f"{state} {count:,}" for state, count in sorted(states.items()) if state)
    notes = f"Requests about games, by the state that these were in: {about}."
    run.finish(RESULTS / "fuzz_requests.md", "python -m benchmarks.fuzz_requests", notes)


if __name__ == "__main__":
    main()
