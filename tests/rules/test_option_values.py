"""Options as text: every option of both games comes back as it was, and what is no option is refused."""

from __future__ import annotations

from dataclasses import fields

import pytest

from rules import RulesError, Seat, Size, homeworlds, settlers
from rules.homeworlds import HANDICAP, SelfElimination, Victory
from rules.option_values import read_options, written_options

HOMEWORLDS = [
    (homeworlds.Options(), ""),
    (homeworlds.Options(self_elimination=SelfElimination.FORBIDDEN), "self_elimination = forbidden"),
    (homeworlds.Options(self_elimination=SelfElimination.ALLOWED), "self_elimination = allowed"),
    (homeworlds.Options(first_ship_sizes=(Size.SMALL, Size.MEDIUM)), "first_ship_sizes = 1, 2"),
    (homeworlds.Options(home_stars=(1,)), "home_stars = 1"),
    (homeworlds.Options(repetition_claim=True), "repetition_claim = yes"),
    (homeworlds.Options(victory=Victory.LEFT_NEIGHBOUR), "victory = left neighbour"),
    (
        homeworlds.Options(victory=Victory.GOOD_AND_EVIL, evil=(Seat.NORTH, Seat.WEST)),
        "victory = good and evil; evil = north, west",
    ),
    (homeworlds.Options(junior=Seat.SOUTH), "junior = south"),
    (
        homeworlds.Options(junior=Seat.SOUTH, extra_ships=(Size.SMALL, Size.LARGE)),
        "junior = south; extra_ships = 1, 3",
    ),
    (homeworlds.Options(junior=Seat.NORTH, timewarp=3), "junior = north; timewarp = 3"),
    (homeworlds.Options(red_alert=(Seat.EAST,)), "red_alert = east"),
    (homeworlds.Options(brain_transference=True), "brain_transference = yes"),
    (homeworlds.Options(tactical_computer=5), "tactical_computer = 5"),
    (HANDICAP, "first_ship_sizes = 1, 2, 3; home_stars = 1, 2"),
]
SETTLERS = [
    (settlers.Options(), ""),
    (settlers.Options(yellow_moves_any=True), "yellow_moves_any = yes"),
    (settlers.Options(redless=True), "redless = yes"),
    (settlers.Options(handicap=Seat.NORTH), "handicap = north"),
    (settlers.Options(handicap=Seat.SOUTH, handicap_size=Size.LARGE), "handicap = south; handicap_size = 3"),
    (settlers.Options(landing_size=Size.MEDIUM), "landing_size = 2"),
    (settlers.Options(quiet_limit=20), "quiet_limit = 20"),
]
ROWS: list[tuple[homeworlds.Options | settlers.Options, str]] = [*HOMEWORLDS, *SETTLERS]


def pairs(text: str) -> list[tuple[str, str]]:
    """Names and values of a row."""
    split = [option.split(" = ") for option in text.split("; ") if option]
    return [(name, value) for name, value in split]


@pytest.mark.parametrize(("options", "text"), ROWS, ids=[f"{type(o).__module__} {text}" for o, text in ROWS])
def test_round_trip(options: homeworlds.Options | settlers.Options, text: str) -> None:
    assert written_options(options) == tuple(pairs(text))
    assert read_options(type(options), pairs(text)) == options


@pytest.mark.parametrize(("kind", "of_kind"), [(homeworlds.Options, HOMEWORLDS), (settlers.Options, SETTLERS)])
def test_every_option_is_in_the_table(kind: type, of_kind: list[tuple[object, str]]) -> None:
    assert {name for _, text in of_kind for name, _ in pairs(text)} == {field.name for field in fields(kind)}


@pytest.mark.parametrize(
    ("name", "text", "same"),
    [
        ("repetition_claim", " YES ", "yes"),
        ("repetition_claim", "no", ""),
        ("victory", "Left Neighbour", "left neighbour"),
        ("victory", "last standing", ""),
        ("home_stars", "1,2", "1, 2"),
        ("home_stars", "2", ""),
        ("evil", "None", ""),
        ("evil", "North ,west", "north, west"),
        ("junior", "NONE", ""),
        ("junior", "South", "south"),
        ("timewarp", "0", ""),
        ("tactical_computer", "007", "7"),
    ],
)
def test_leniently_read(name: str, text: str, same: str) -> None:
    """Whatever the case and the spaces; what is the default is not written."""
    options = read_options(homeworlds.Options, [(name, text)])
    assert written_options(options) == (((name, same),) if same else ())


@pytest.mark.parametrize(
    ("kind", "text", "same"),
    [
        (settlers.Options, "handicap = north; handicap_size = large", "handicap = north; handicap_size = 3"),
        (settlers.Options, "handicap_size = Medium", ""),
        (settlers.Options, "landing_size = large", "landing_size = 3"),
        (homeworlds.Options, "first_ship_sizes = small, 2", "first_ship_sizes = 1, 2"),
        (homeworlds.Options, "junior = south; extra_ships = small, medium", "junior = south; extra_ships = 1, 2"),
    ],
)
def test_sizes_are_read_as_words_too(kind: type, text: str, same: str) -> None:
    assert written_options(read_options(kind, pairs(text))) == tuple(pairs(same))


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        (
            "victory",
            "first",
            "“first” is not a value of the option victory: write last standing or left neighbour or ",
        ),
        ("repetition_claim", "maybe", "“maybe” is not a value of the option repetition_claim: write yes or no."),
        ("timewarp", "-1", "“-1” is not a value of the option timewarp: write a number."),
        ("timewarp", "two", "“two” is not a value of the option timewarp: write a number."),
        ("timewarp", "٣", "“٣” is not a value"),
        ("timewarp", "9999999999", "“9999999999” is not a value"),
        ("timewarp", "none", "“none” is not a value"),
        ("timewarp", "", "“” is not a value"),
        ("home_stars", "1, two", "“1, two” is not a value of the option home_stars: write a number, several with "),
        ("home_stars", "1,,2", "“1,,2” is not a value"),
        ("first_ship_sizes", "4", "“4” is not a value of the option first_ship_sizes: write 1 or 2 or 3, several "),
        ("evil", "nobody", "“nobody” is not a value of the option evil: write north or east or south or west, "),
        ("junior", "Bob", "“Bob” is not a value of the option junior: write north or east or south or west or none."),
    ],
)
def test_values_that_are_none(name: str, text: str, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_options(homeworlds.Options, [(name, text)])
    error = caught.value
    assert error.code == "option_value_unknown"
    assert error.sentence.startswith(sentence)
    assert error.sentence.endswith(".")
    assert (error.parameters["option"], error.parameters["text"]) == (name, text)


@pytest.mark.parametrize("kind", [homeworlds.Options, settlers.Options])
def test_options_that_are_none(kind: type) -> None:
    with pytest.raises(RulesError) as caught:
        read_options(kind, [("color", "blue")])
    assert caught.value.code == "option_unknown"
    assert all(field.name in caught.value.sentence for field in fields(kind))


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        (homeworlds.Options, "timewarp = 2", "junior_missing"),
        (homeworlds.Options, "extra_ships = 1", "junior_missing"),
        (homeworlds.Options, "junior = south; extra_ships = 1, 1, 1", "extra_ships_too_many"),
        (settlers.Options, "handicap = east", "seat_empty"),
        (settlers.Options, "handicap_size = 1", "handicap_small"),
        (settlers.Options, "quiet_limit = 0", "quiet_limit_wrong"),
    ],
)
def test_options_that_do_not_go_together(kind: type, text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_options(kind, pairs(text))
    assert caught.value.code == code
