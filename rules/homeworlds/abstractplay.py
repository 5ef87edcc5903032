"""Games of AbstractPlay: its game records and saved states (JSON), and its turns one a line, read and written.

A turn is written there as here but for small things: steps stand between commas, a build names a colour (of a piece
only the colour counts), unused actions of a sacrifice have to be passed, as in ``pass 2``, and a set-up that is
unusual wants a ``*``. The first player is North, and homes are called after the seats. Three and four play for their
left neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeGuard

from rules.errors import RulesError, quoted
from rules.frozen import FrozenMap
from rules.homeworlds.game import Game
from rules.homeworlds.options import Options, Victory
from rules.homeworlds.transcript import TRANSCRIBED, Skipped, TranscribedTurn, Transcript
from rules.seats import Seat

_OPTIONS: Final = Options(
    self_elimination=TRANSCRIBED.self_elimination,
    first_ship_sizes=TRANSCRIBED.first_ship_sizes,
    home_stars=TRANSCRIBED.home_stars,
    victory=Victory.LEFT_NEIGHBOUR,
)
_NUMBERS: Final = (2, 3, 4)
_BETWEEN: Final = re.compile(r"[\n\r,;/\\]")
_NUMBERED: Final = re.compile(r"\s*[0-9]+[.)]\s+")
_KNOWN_VARIANTS: Final = {"passfree", "allow full passing"}
_CLOSINGS: Final = {"resign": "resign", "timeout": "resign", "draw": "draw agreed"}
_ENDED_BY: Final = {"resigned": "resign", "timeout": "resign", "drawagreed": "draw agreed"}
_LONGEST: Final = 100_000  # turns and letters of one


class Move(NamedTuple):
    """A turn as AbstractPlay has it: whose it is, if that is said, its text, and who resigned with it, if anybody."""

    seat: Seat | None
    text: str
    resigned: Seat | None = None


def seats_of(players: int) -> tuple[Seat, ...]:
    """The seats there, in turn order.

    >>> [seat.letter for seat in seats_of(2)]
    ['N', 'S']
    """
    return {2: (Seat.NORTH, Seat.SOUTH), 3: tuple(Seat)[:3]}.get(players, tuple(Seat))


# Reading


def is_abstractplay(content: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether some JSON is a game record or a saved game from there, of whatever game."""
    if not isinstance(content, Mapping):
        return False
    is_record = isinstance(content.get("header"), Mapping) and "moves" in content
    return is_record or ("stack" in content and "numplayers" in content)


def read_abstractplay(content: Mapping[str, Any]) -> Transcript:
    """The game of a game record or of a saved game; a :class:`rules.RulesError` where it cannot be read."""
    if "stack" in content:
        return _of_state(content)
    header = content["header"]
    game = header.get("game")
    _check_game(game.get("name") if isinstance(game, Mapping) else game)
    players = header.get("players")
    if (
        not isinstance(players, list)
        or len(players) not in _NUMBERS
        or not all(isinstance(p, Mapping) for p in players)
    ):
        raise RulesError("players_wrong", "The players of this game record cannot be read: it needs two to four.")
    seats = seats_of(len(players))
    names = {seat: str(player["name"]) for seat, player in zip(seats, players, strict=True) if player.get("name")}
    results = [player.get("result") for player in players]
    winner = _winner(seats, results)
    loser = next((seat for seat in seats if seat is not winner), None) if winner and len(seats) == 2 else None
    moves = list(_recorded_moves(content["moves"], seats))
    variants = game.get("variants") if isinstance(game, Mapping) else None
    return _transcript(seats, moves, names, winner, loser, variants)


def _of_state(state: Mapping[str, Any]) -> Transcript:
    """The game that the site has saved: each entry of its stack holds the turn that led there."""
    _check_game(state.get("game"))
    number, stack = state["numplayers"], state["stack"]
    if (
        number not in _NUMBERS
        or not isinstance(stack, list)
        or not all(isinstance(entry, Mapping) for entry in stack)
    ):
        raise RulesError("state_unreadable", "This saved game of AbstractPlay cannot be read: its stack is damaged.")
    seats = seats_of(number)
    moves = []
    for before, entry in pairwise(stack):
        resigned = _resigned(entry.get("_results"), seats)
        moves.append(Move(_numbered(before.get("currplayer"), seats), str(entry.get("lastmove", "")), resigned))
    winners = state.get("winner")
    winner = _numbered(winners[0], seats) if isinstance(winners, list) and len(winners) == 1 else None
    return _transcript(seats, moves, {}, winner, None, state.get("variants"))


def read_moves(text: str) -> Transcript:
    """The game of its turns alone, one a line, from the set-up on; two play, or as many as set up first."""
    lines = [_NUMBERED.sub("", line, count=1).strip() for line in text.split("\n")]
    moves = [Move(None, line) for line in lines if line]
    set_ups = next((count for count, move in enumerate(moves) if not _is_set_up(move.text)), len(moves))
    players = max(set_ups, 2)
    if players not in _NUMBERS:
        raise RulesError(
            "players_wrong",
            f"Turns of AbstractPlay begin with at most four set-ups, such as homeworld g3 b2 y3, not with {players}.",
        )
    return _transcript(seats_of(players), moves, {}, None, None, None)


def looks_like_moves(text: str) -> bool:
    """Whether *text* begins as a list of turns does."""
    return _is_set_up(_NUMBERED.sub("", text.lstrip()[:200], count=1))


def _is_set_up(text: str) -> bool:
    return bool(re.match(r"homeworld\s+[rygb][1-3]\s", text.lower() + " "))


def _check_game(name: object) -> None:
    if str(name).strip().lower() != "homeworlds":
        raise RulesError(
            "other_game", f"This is a game of {quoted(str(name))} from AbstractPlay: only Homeworlds can be read."
        )


def _winner(seats: Sequence[Seat], results: list[Any]) -> Seat | None:
    numbers = [result for result in results if isinstance(result, int | float)]
    if len(numbers) < len(seats) or numbers.count(max(numbers)) > 1:
        return None
    return seats[numbers.index(max(numbers))]


def _recorded_moves(rounds: Any, seats: tuple[Seat, ...]) -> Iterator[Move]:
    """The turns of a game record, round by round.

    A number tells whose a turn is; where players who missed it are written as nothing, its place in the round does.
    """
    if not isinstance(rounds, list) or not all(isinstance(one, list) for one in rounds):
        raise RulesError(
            "moves_unreadable", "The moves of this game record cannot be read: they are lists of rounds."
        )
    by_place = any(entry is None for one in rounds for entry in one)
    for count, one in enumerate(rounds, 1):
        for place, entry in enumerate(one):
            seat = seats[place] if by_place and place < len(seats) else None
            if isinstance(entry, Mapping):
                seat = _numbered(entry.get("sequence"), seats) or seat
                yield Move(seat, str(entry.get("move", "")), _resigned(entry.get("result"), seats))
            elif isinstance(entry, str):
                yield Move(seat, entry)
            elif entry is not None:
                raise RulesError("moves_unreadable", f"Round {count} of this game record cannot be read.")


def _numbered(number: Any, seats: tuple[Seat, ...]) -> Seat | None:
    return seats[number - 1] if isinstance(number, int) and 1 <= number <= len(seats) else None


def _resigned(results: Any, seats: tuple[Seat, ...]) -> Seat | None:
    """Who resigned, or ran out of time, by the results of a turn."""
    for result in results if isinstance(results, list) else ():
        if isinstance(result, Mapping) and _ENDED_BY.get(str(result.get("type"))) == "resign":
            return _numbered(result.get("player"), seats)
    return None


def _transcript(
    seats: tuple[Seat, ...],
    moves: list[Move],
    names: Mapping[Seat, str],
    winner: Seat | None,
    loser: Seat | None,
    variants: object,
) -> Transcript:
    if not moves or len(moves) > _LONGEST or any(len(move.text) > _LONGEST for move in moves):
        raise RulesError("moves_unreadable", "This game of AbstractPlay has no turns, or far too many.")
    closing = None
    last = moves[-1]
    word = _CLOSINGS.get(last.text.strip().lower())
    if word:
        moves = moves[:-1]
    seated = list(_seated(seats, [*moves, last] if word else moves))
    if word:
        resigned = last.resigned or (loser if word == "resign" else None) or seated.pop()
        closing = TranscribedTurn(len(moves) + 1, resigned, word)
    turns = tuple(
        TranscribedTurn(number, seat, _turn(move.text, seat))
        for number, (seat, move) in enumerate(zip(seated, moves, strict=False), 1)
    )
    if not turns:
        raise RulesError("moves_unreadable", "This game of AbstractPlay has no turns.")
    skipped = tuple(
        Skipped("variants", f"the variant {quoted(str(variant))}")
        for variant in (variants if isinstance(variants, list) else ())
        if str(variant).lower() not in _KNOWN_VARIANTS
    )
    return Transcript(seats, winner, turns, FrozenMap(names), skipped, _OPTIONS, closing)


def _seated(seats: tuple[Seat, ...], moves: list[Move]) -> Iterator[Seat]:
    """Whose each turn is: as is said, or else the next player's who is still in the game."""
    game = Game(_OPTIONS, None, len(seats), seats[0])
    playing = len(seats) > 2 and all(move.seat is None for move in moves)
    following = seats[0]
    for move in moves:
        seat = move.seat or following
        yield seat
        following = seats[(seats.index(seat) + 1) % len(seats)]
        if playing:
            try:
                game.push_text(_turn(move.text, seat))
            except RulesError:
                playing = False
            else:
                following = game.to_move


def _turn(text: str, seat: Seat) -> str:
    """A turn in our notation; what is no step there is left for our reader to judge."""
    steps = [step for part in _BETWEEN.split(text) if (step := _step(part.split(), seat))]
    return "; ".join(steps) or "pass"


def _step(words: list[str], seat: Seat) -> str:
    if not words:
        return ""
    verb, *said = words
    initial = verb[0].lower()
    if initial == "h":
        return " ".join([verb, *(word for word in said if word not in ("*", "-")), seat.word])
    if initial == "p":
        times = int(said[0]) if said and said[0].isdecimal() and len(said[0]) == 1 else 1
        return "; ".join(["pass"] * max(times, 1))
    if initial == "b" and said:
        said[0] = said[0][0]
    if (initial == "t" and len(said) == 3) or (initial == "c" and len(said) == 2):
        said[-1] = said[-1][0]
    return " ".join([verb, *said])
