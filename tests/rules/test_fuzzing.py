"""Texts that have gone wrong are read or refused in a sentence, by every reader, and none takes for ever."""

from __future__ import annotations

import time

import fuzzing
import pytest
from fuzzing import fuzz, shares
from tables import rows
from valid_texts import Read, Sample

from rules import RulesError, homeworlds, settlers
from rules.option_values import read_options

INPUTS = 200_000
OPTIONS = {"homeworlds": homeworlds.Options, "settlers": settlers.Options}


@pytest.mark.parametrize(("game", "name", "value", "code", "words"), rows("option_errors.tsv"))
def test_options_without_which_no_game_can_begin(game: str, name: str, value: str, code: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_options(OPTIONS[game], [(name, value)])
    assert caught.value.code == code
    assert words in caught.value.sentence


@pytest.mark.parametrize(("reader", "inputs"), shares(INPUTS))
def test_spoilt_texts_are_read_or_refused(reader: str, inputs: int) -> None:
    account = fuzz(reader, inputs)
    assert [f"{text[:500]!a}: {error!r}" for text, error in account.broken[:5]] == []
    assert min(account.accepted, account.refused) > inputs // 20


def breaks(text: str) -> None:
    if len(text) > 4:
        raise KeyError(text)


def speaks_in_riddles(text: str) -> None:
    if len(text) > 4:
        raise RulesError("riddle", "two\nlines")


def hangs(text: str) -> None:
    if len(text) > 4:
        time.sleep(60)


@pytest.mark.parametrize(
    ("read", "inputs", "error"),
    [(breaks, 100, KeyError), (speaks_in_riddles, 100, RulesError), (hangs, 3, TimeoutError)],
)
def test_a_reader_that_breaks_is_noticed(
    monkeypatch: pytest.MonkeyPatch, read: Read, inputs: int, error: type[Exception]
) -> None:
    monkeypatch.setattr(fuzzing, "SECONDS_ALLOWED", 1)
    monkeypatch.setitem(fuzzing.READERS, "bad", (0, lambda: [Sample("build", read)]))
    account = fuzz("bad", inputs)
    assert account.accepted + len(account.broken) == inputs
    assert {type(caught) for _, caught in account.broken} == {error}


def test_the_same_seed_gives_the_same_texts() -> None:
    assert [fuzz("fields", 500, seed).accepted for seed in (1, 1)] == [fuzz("fields", 500, 1).accepted] * 2
