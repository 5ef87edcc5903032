"""The diagrams of both games: what is in them, where it is, and that they never fail."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app.diagram import diagram_svg
from companion_app.samples import random_homeworlds, random_settlers
from rules import KINDS, Seat, homeworlds, settlers

SVG = "{http://www.w3.org/2000/svg}"
FIELDS = [file + rank for file in "abcdef" for rank in "123456"]
Box = tuple[float, float, float, float]

MAP = homeworlds.Position.parse(
    "<1>; Terra(0,b3y2)g3g1-r1; Zorg(1,g1r2)-g3y1; Sirius(g1)y2-; Vega(b1)-r2; Altair(r3)g2-y3; Mira(b2)b1-"
)
BOARD = settlers.Position.parse("5R1/6/2g3B12/6/1y24/r35 N 4")


def drawn(position: homeworlds.Position | settlers.Position) -> ET.Element:
    return ET.fromstring(diagram_svg(position))


def pieces(svg: ET.Element) -> list[ET.Element]:
    return [element for element in svg.iter(f"{SVG}g") if "data-piece" in element.attrib]


def key(piece: ET.Element) -> tuple[str, str | None, str]:
    return piece.attrib["data-place"], piece.get("data-owner"), piece.attrib["data-piece"]


def find(svg: ET.Element, attribute: str, value: str) -> ET.Element:
    return next(element for element in svg.iter() if element.get(attribute) == value)


def corners(element: ET.Element) -> Iterator[tuple[float, float]]:
    """Every point that the shapes in *element* are drawn through."""
    for shape in element.iter():
        if "points" in shape.attrib:
            for pair in shape.attrib["points"].split():
                x, y = map(float, pair.split(","))
                yield x, y
        elif shape.tag in (f"{SVG}rect", f"{SVG}text"):
            x, y = float(shape.attrib["x"]), float(shape.attrib["y"])
            yield x, y
            yield x + float(shape.get("width", 0)), y + float(shape.get("height", 0))


def box(element: ET.Element) -> Box:
    xs, ys = zip(*corners(element), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def middle(element: ET.Element) -> tuple[float, float]:
    left, top, right, bottom = box(element)
    return (left + right) / 2, (top + bottom) / 2


def on_table(position: homeworlds.Position | settlers.Position) -> Counter[tuple[str, str | None, str]]:
    """Place, owner and code of everything in play."""
    if isinstance(position, settlers.Position):
        return Counter((name, ship.owner.value, ship.piece.code) for name, ship in position.board.items())
    found: Counter[tuple[str, str | None, str]] = Counter()
    for system in position.systems:
        found.update((system.name, None, star.code) for star in system.stars)
        for seat, fleet in system.ships.items():
            found.update((system.name, seat.value, ship.code) for ship in fleet)
    return found


codes = st.sampled_from([kind.code for kind in KINDS])
code_lists = st.lists(codes, max_size=9).map("".join)


@st.composite
def any_homeworlds(draw: st.DrawFn) -> homeworlds.Position:
    """Positions as a bad photo may give them: any stars, any ships, any homes."""
    systems = []
    for number in range(draw(st.integers(0, 7))):
        home = draw(st.sampled_from(["", "", "0,", "1,"]))
        stars = "".join(draw(st.lists(codes, max_size=3)))
        systems.append(f"Star{number}({home}{stars}){draw(code_lists)}-{draw(code_lists)}")
    return homeworlds.Position.parse("; ".join([f"<{draw(st.integers(0, 1))}>", *systems]))


@st.composite
def any_settlers(draw: st.DrawFn) -> settlers.Position:
    """Boards with any pieces on them, more of a kind than there are included."""
    ship = codes | codes.map(str.upper)
    ranks = ["".join(draw(ship | st.just("1")) for _ in range(6)) for _ in range(6)]
    empty = re.compile("(?<![rygbRYGB])1+")
    lines = "/".join(empty.sub(lambda run: str(len(run[0])), rank) for rank in ranks)
    return settlers.Position.parse(f"{lines} {draw(st.sampled_from('SN'))} 0")


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("make", [random_homeworlds, random_settlers])
def test_every_piece_is_drawn_once_where_it_is(make: type, seed: int) -> None:
    position = make(seed)
    assert Counter(map(key, pieces(drawn(position)))) == on_table(position)


@settings(max_examples=60)
@given(st.one_of(any_homeworlds(), any_settlers()))
def test_impossible_positions_are_drawn_too(position: homeworlds.Position | settlers.Position) -> None:
    svg = drawn(position)
    assert Counter(map(key, pieces(svg))) == on_table(position)
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    left, top, right, bottom = box(svg)
    assert min(left, top) >= 0
    assert right <= width
    assert bottom <= height


@settings(max_examples=60)
@given(st.one_of(any_homeworlds(), any_settlers()))
def test_pieces_do_not_lie_on_each_other(position: homeworlds.Position | settlers.Position) -> None:
    """Of two fields or of one system: no centre of a piece lies within another's box."""
    boxes = [box(piece) for piece in pieces(drawn(position))]
    for index, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:index] + boxes[index + 1 :]:
            x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
            assert not (left < x < right and top < y < bottom)


@pytest.mark.parametrize("position", [MAP, BOARD])
def test_every_piece_bears_its_code_and_says_what_it_is(position: homeworlds.Position | settlers.Position) -> None:
    for piece in pieces(drawn(position)):
        place, owner, code = key(piece)
        title = piece.findtext(f"{SVG}title") or ""
        assert [label.text for label in piece.iter(f"{SVG}text")] == [code]
        assert place in title
        assert (f"{owner.title()}’s" if owner else "star") in title


@pytest.mark.parametrize("position", [MAP, BOARD])
def test_looks_are_attributes_only(position: homeworlds.Position | settlers.Position) -> None:
    """A page whose content security policy forbids inline styles and scripts can hold the drawing."""
    for element in drawn(position).iter():
        assert element.tag not in (f"{SVG}style", f"{SVG}script", f"{SVG}image")
        assert not [name for name in element.attrib if name == "style" or name.startswith("on")]


def test_bank_counts_every_kind() -> None:
    svg = drawn(MAP)
    counts = {kind.code: find(svg, "data-bank-piece", kind.code).attrib["data-count"] for kind in KINDS}
    assert counts == {kind.code: str(count) for kind, count in MAP.bank.items()}


@pytest.mark.parametrize(
    ("position", "game"),
    [(MAP, "Homeworlds"), (BOARD, "Homeworlds Settlers"), (random_settlers(3), "Homeworlds Settlers")],
)
def test_game_and_side_to_move_are_named(position: homeworlds.Position | settlers.Position, game: str) -> None:
    assert drawn(position).attrib["aria-label"] == f"{game}: {position.to_move.word} to move"


# Homeworlds


def test_each_home_lies_at_its_players_side() -> None:
    svg = drawn(MAP)
    heights = [middle(find(svg, "data-system", system.name))[1] for system in MAP.systems]
    south, north, *others = heights
    assert north < min(others)
    assert south > max(others)


def test_stars_lie_next_to_the_home_that_reaches_them() -> None:
    """South's home has sizes 3 and 2, so it reaches the small stars; North's, 1 and 2, reaches the large one."""
    svg = drawn(MAP)
    rows = {system.name: middle(find(svg, "data-system", system.name))[1] for system in MAP.systems}
    assert rows["Zorg"] < rows["Altair"] < rows["Mira"] < rows["Vega"] < rows["Terra"]
    assert rows["Vega"] == pytest.approx(rows["Sirius"])


def test_each_player_has_the_right_side_of_the_road() -> None:
    svg = drawn(MAP)
    assert middle(find(svg, "data-system", "Sirius"))[0] > middle(find(svg, "data-system", "Vega"))[0]
    altair = {key(piece)[1]: middle(piece)[0] for piece in pieces(find(svg, "data-system", "Altair"))}
    assert altair["north"] < altair[None] < altair["south"]


@pytest.mark.parametrize("position", [MAP, BOARD])
def test_ships_point_away_from_their_owner(position: homeworlds.Position | settlers.Position) -> None:
    for piece in pieces(drawn(position)):
        shape = next(piece.iter(f"{SVG}polygon"))
        heights = sorted(y for _, y in corners(shape))
        if piece.get("data-owner") == "south":
            assert heights[1] == heights[2]  # the base is below, nearest to South
        elif piece.get("data-owner") == "north":
            assert heights[0] == heights[1]


@pytest.mark.parametrize("owner", [None, "south"])
def test_larger_pieces_are_drawn_larger(owner: str | None) -> None:
    svg = drawn(homeworlds.Position.parse("<0>; A(r1)r1-; B(g2)g2-; C(b3)b3-"))
    areas = {}
    for piece in pieces(svg):
        if piece.get("data-owner") == owner:
            left, top, right, bottom = box(piece)
            areas[piece.attrib["data-piece"][1]] = (right - left) * (bottom - top)
    assert areas["1"] < areas["2"] * 0.75
    assert areas["2"] < areas["3"] * 0.75


def test_names_are_escaped() -> None:
    system = MAP.systems[2]
    svg = drawn(homeworlds.Position.parse(str(MAP).replace(system.name, "R2D2’s&Co")))
    assert find(svg, "data-system", "R2D2’s&Co") is not None


def test_three_and_four_players_are_drawn() -> None:
    four = homeworlds.Position.parse(
        "<2>; N(0,b3y2)g3---; E(1,g1r2)-g3--; S(2,g1r2)--g3-; W(3,g1r2)---g3; Middle(y3)b1-b2-r1-r2"
    )
    svg = drawn(four)
    place = {seat: middle(find(svg, "data-seat", seat.value)) for seat in Seat}
    home = {name: middle(find(svg, "data-system", name)) for name in "NESW"}
    assert home["N"][1] < home["E"][1] < home["S"][1]
    assert home["W"][0] < home["N"][0] < home["E"][0]
    assert place[Seat.NORTH][1] < place[Seat.SOUTH][1]
    around = {key(piece)[1]: middle(piece) for piece in pieces(find(svg, "data-system", "Middle"))}
    assert around["north"][0] < around[None][0] < around["south"][0]
    assert around["east"][1] < around[None][1] < around["west"][1]


HOMES = "North(0,r2b1)y3g3---; East(1,y1b3)-g1--; South(2,g1b2)--r3-; West(3,r1y2)---g3y1"
THREE = (
    "<1>; North(0,r2b1)y3g3--; East(1,y1b3)-g1g2-; South(2,g1b2)--r3; The_Very_Far_Away_Star(g3)y1--; Sol(y2)-y2-g2"
)
LONG = (
    "<3>; North(0,r2b1)y3g3---; The_Enormous_Home_of_East(1,y1b3)-r1r1r2r2r3g1g1g2g2g3--; South(2,g1b2)--r3-; "
    "A_Long_Name_For_West_Home(3,r1y2)---g3y1; Colony_A(y1)---b1; Colony_B(y1)---b1; Colony_C(g1)---b1; "
    "Colony_D(g1)---b1; Colony_E(b1)---b1"
)


@pytest.mark.parametrize(
    ("line", "players"),
    [
        (f"<0>; {HOMES}", 4),
        (f"<0>; {HOMES}; Sol(y3)y1---; Vega(b3)---b1; Rigel(r3)-r1--; Deneb(b2)b2---; Mira(g3)--b3-", 4),
        (THREE, 3),
        (LONG, 4),
    ],
)
def test_everybodys_name_stands_beside_their_home(line: str, players: int) -> None:
    """Above North's and below South's, at the left of West's and at the right of East's, and on top of nothing."""
    position = homeworlds.Position.parse(line, players)
    svg = drawn(position)
    width, height = (float(svg.attrib[side]) for side in ("width", "height"))
    systems = [box(find(svg, "data-system", system.name)) for system in position.systems]
    for seat in position.seats:
        left, top, right, bottom = box(find(svg, "data-seat", seat.value))
        assert 0 < left < right < width
        assert 0 < top < bottom < height
        assert not any(left < x1 and x0 < right and top < y1 and y0 < bottom for x0, y0, x1, y1 in systems)
        x0, y0, x1, y1 = box(find(svg, "data-system", position.homes(seat)[0].name))
        if seat in (Seat.NORTH, Seat.SOUTH):
            assert left < (x0 + x1) / 2 < right
            assert 0 < (y0 - bottom if seat is Seat.NORTH else top - y1) < 40
        else:
            assert top < (y0 + y1) / 2 < bottom
            assert 0 < (x0 - right if seat is Seat.WEST else left - x1) < 40


@pytest.mark.parametrize("line", ["<1>", "<0>; North(0,r2b1)y3g3---; Elsewhere(r3)-g1--; South(2,g1b2)--r3-"])
def test_who_has_no_home_is_named_at_that_side_of_the_map(line: str) -> None:
    svg = drawn(homeworlds.Position.parse(line, 4))
    width = float(svg.attrib["width"])
    assert box(find(svg, "data-seat", "west"))[2] < width / 4
    assert box(find(svg, "data-seat", "east"))[0] > 3 * width / 4


# Settlers


@cache
def board() -> ET.Element:
    return drawn(settlers.Position.parse("6/6/6/6/6/6 S 0"))


def test_board_is_a_diamond_with_a1_towards_south() -> None:
    place = {name: middle(find(board(), "data-field", name)) for name in FIELDS}
    assert place["a1"][1] == max(y for _, y in place.values())
    assert place["f6"][1] == min(y for _, y in place.values())
    assert place["f1"][0] == max(x for x, _ in place.values())
    assert place["a6"][0] == min(x for x, _ in place.values())
    assert place["a1"][0] == pytest.approx(place["f6"][0])


def test_empty_fields_say_so_and_can_be_found() -> None:
    for name in FIELDS:
        assert find(board(), "data-field", name).findtext(f"{SVG}title") == f"{name}, empty"


def test_both_player_corners_are_dark() -> None:
    fills = {name: next(find(board(), "data-field", name).iter(f"{SVG}polygon")).attrib["fill"] for name in FIELDS}
    assert fills["a1"] == fills["f6"] != fills["a6"] == fills["f1"]
    assert Counter(fills.values()) == {fills["a1"]: 18, fills["a6"]: 18}


@pytest.mark.parametrize("code", ["r1", "y2", "g3", "B3", "R1"])
@pytest.mark.parametrize("seed", range(3))
def test_pieces_stay_within_their_field(code: str, seed: int) -> None:
    file, rank = divmod((seed * 17 + 5) % 36, 6)
    row = (str(file) if file else "") + code + (str(5 - file) if file < 5 else "")
    line = "/".join(row if 5 - index == rank else "6" for index in range(6)) + " S 0"
    svg = drawn(settlers.Position.parse(line))
    field = find(svg, "data-field", f"{'abcdef'[file]}{rank + 1}")
    (x, y), (left, _, right, _) = middle(next(field.iter(f"{SVG}polygon"))), box(next(field.iter(f"{SVG}polygon")))
    piece = next(pieces(svg)[0].iter(f"{SVG}polygon"))
    assert all(abs(px - x) + abs(py - y) <= (right - left) / 2 for px, py in corners(piece))


def test_score_stands_beside_the_names() -> None:
    svg = ET.fromstring(diagram_svg(BOARD, score={Seat.SOUTH: 31, Seat.NORTH: 8}))
    assert find(svg, "data-seat", "south").findtext(f"{SVG}text") == "South 31"
    assert find(svg, "data-seat", "north").findtext(f"{SVG}text") == "North 8"


# The caller's numbers


def test_alike_pieces_take_their_numbers_in_turn() -> None:
    position = homeworlds.Position.parse("<0>; A(r1)g1g1g1b2-g1")
    indices = {("A", "south", "g1"): [7, 3], ("A", None, "r1"): [0], ("A", "north", "g1"): [5]}
    svg = ET.fromstring(diagram_svg(position, indices=indices))
    given_out = [(key(piece)[1:], piece.get("data-index")) for piece in pieces(svg)]
    assert sorted(given_out, key=str) == sorted(
        [
            ((None, "r1"), "0"),
            (("south", "g1"), "7"),
            (("south", "g1"), "3"),
            (("south", "g1"), None),
            (("south", "b2"), None),
            (("north", "g1"), "5"),
        ],
        key=str,
    )


def test_piece_on_a_field_can_be_found_by_field_and_number() -> None:
    svg = ET.fromstring(diagram_svg(BOARD, indices={("c4", "south", "g3"): [12]}))
    piece = find(svg, "data-index", "12")
    assert key(piece) == ("c4", "south", "g3")
    assert piece.attrib["data-field"] == "c4"


def test_when_the_game_is_over_nobody_is_to_move() -> None:
    for position, game in ((MAP, "Homeworlds"), (BOARD, "Homeworlds Settlers")):
        svg = ET.fromstring(diagram_svg(position, over=True))
        assert svg.attrib["aria-label"] == f"{game}: the game is over"
        assert not any("to move" in (text.text or "") for text in svg.iter(f"{SVG}text"))
        south, north = (find(svg, "data-seat", seat)[0].attrib["fill"] for seat in ("south", "north"))
        assert south == north
