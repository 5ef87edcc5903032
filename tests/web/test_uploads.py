"""Whatever is sent instead of a photo gets a clear answer, and the server lives on."""

from __future__ import annotations

import struct
import threading
import zlib
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from conftest import PAGE, MakeApp, TruthfulTable
from flask.testing import FlaskClient
from PIL import Image

from companion_app.photos import Photo
from companion_app.reading import Reading
from companion_app.reading_types import Game
from vision.sight import ImageSide


def picture(kind: str = "JPEG", size: tuple[int, int] = (640, 480), **options: Any) -> bytes:
    stream = BytesIO()
    noise = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), np.uint8)
    Image.fromarray(noise).save(stream, kind, **options)
    return stream.getvalue()


def png_bomb(side: int = 30_000) -> bytes:
    """A PNG of very few bytes that says it has *side* × *side* pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


HEIC = struct.pack(">I", 24) + b"ftypheic" + bytes(4) + b"mif1heic" + bytes(200)
GOOD = {"game": "settlers", "south": "bottom"}

HOSTILE: dict[str, tuple[dict[str, Any], int, str]] = {
    "text": (GOOD | {"photo": (BytesIO(b"not an image at all"), "x.jpg")}, 415, "photo_unknown"),
    "no bytes": (GOOD | {"photo": (BytesIO(b""), "x.jpg")}, 400, "photo_empty"),
    "truncated": (GOOD | {"photo": (BytesIO(picture()[:3000]), "x.jpg")}, 422, "photo_truncated"),
    "a bomb": (GOOD | {"photo": (BytesIO(png_bomb()), "x.png")}, 413, "photo_too_large"),
    "HEIC": (GOOD | {"photo": (BytesIO(HEIC), "x.heic")}, 415, "photo_heic"),
    "25 MB": (GOOD | {"photo": (BytesIO(bytes(25 * 1024 * 1024)), "x.jpg")}, 413, "photo_too_heavy"),
    "SVG": (GOOD | {"photo": (BytesIO(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "x.svg")}, 415, "photo_svg"),
    "tiny": (GOOD | {"photo": (BytesIO(picture("PNG", (10, 10))), "x.png")}, 422, "photo_too_small"),
    "no photo": (GOOD, 400, "photo_missing"),
    "another field": (GOOD | {"image": (BytesIO(picture()), "x.jpg")}, 400, "photo_missing"),
    "a text as photo": (GOOD | {"photo": "hello"}, 400, "photo_missing"),
    "no game": ({"photo": (BytesIO(picture()), "x.jpg")}, 400, "bad_form"),
    "unknown game": ({"game": "chess", "photo": (BytesIO(picture()), "x.jpg")}, 400, "bad_form"),
    "unknown side": ({"game": "settlers", "south": "up", "photo": (BytesIO(picture()), "x.jpg")}, 400, "bad_form"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("as_json", [False, True], ids=["page", "json"])
def test_bad_uploads_get_a_clear_answer(client: FlaskClient, name: str, as_json: bool) -> None:
    form, status, code = HOSTILE[name]
    fresh = {key: (BytesIO(v[0].getvalue()), v[1]) if isinstance(v, tuple) else v for key, v in form.items()}
    accept = "application/json" if as_json else "text/html"
    answer = client.post("/readings", data=fresh, content_type="multipart/form-data", headers={"Accept": accept})
    assert answer.status_code == status
    if as_json:
        assert answer.json is not None
        assert answer.json["error"] == code
        assert len(answer.json["sentence"]) > 20
    else:
        assert f"<code>{code}</code>" in answer.text
        assert "Traceback" not in answer.text
    assert client.get("/health").json == {"ok": True}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photos_are_opened_and_kept_without_where_they_were_taken(client: FlaskClient, kind: str) -> None:
    exif = Image.Exif()
    exif[0x010F] = "a camera's name"
    exif.get_ifd(0x8825)[1] = "N"
    sent = picture(kind, exif=exif)
    assert b"camera" in sent
    answer = client.post("/readings", data=GOOD | {"photo": (BytesIO(sent), "my table.jpg")})
    assert answer.status_code == 303
    kept = client.get(answer.headers["Location"] + "/photo.jpg")
    assert kept.mimetype == "image/jpeg"
    assert b"camera" not in kept.data
    assert not Image.open(BytesIO(kept.data)).getexif()
    assert "immutable" in kept.headers["Cache-Control"]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photos_whose_exif_is_damaged_are_opened(client: FlaskClient, kind: str) -> None:
    """A turn to the right, a resolution that is not a number, and a place that lies outside."""
    tags = ((0x0112, 3, 0x00060000), (0x011A, 11, 0x7FC00000), (0x8825, 4, 999_999))
    entries = b"".join(struct.pack(">HHII", tag, type_, 1, value) for tag, type_, value in tags)
    damaged = b"Exif\x00\x00MM\x00*" + struct.pack(">IH", 8, len(tags)) + entries + bytes(4)
    sent = picture(kind, exif=damaged)
    answer = client.post("/readings", data=GOOD | {"photo": (BytesIO(sent), "x.jpg")})
    assert answer.status_code == 303
    kept = Image.open(BytesIO(client.get(answer.headers["Location"] + "/photo.jpg").data))
    assert kept.size == (480, 640)


def test_a_photo_without_pieces_opens_with_the_reason(client: FlaskClient) -> None:
    answer = client.post("/readings", data=GOOD | {"photo": (BytesIO(picture()), "x.jpg")}, follow_redirects=True)
    assert answer.status_code == 200
    assert "This photo could not be read." in answer.text
    assert "take the photo nearer" in answer.text


def test_the_other_way_to_choose_may_stay_empty(client: FlaskClient) -> None:
    two = {"photo": [(BytesIO(b""), ""), (BytesIO(picture()), "x.jpg")]}
    assert client.post("/readings", data=GOOD | two).status_code == 303


@pytest.mark.parametrize("table", ["", "-1", "1e9", "٣", "12345678901234567890", "x"])
def test_numbers_of_tables_are_checked(client: FlaskClient, table: str) -> None:
    answer = client.post("/virtual", data={"game": "settlers", "table": table})
    assert answer.status_code == 400
    assert "<code>bad_form</code>" in answer.text


def test_one_photo_at_a_time_and_a_short_queue(make_app: MakeApp) -> None:
    inside, leave = threading.Event(), threading.Event()
    table, running, most = TruthfulTable(), [0], [0]

    def slow(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        running[0] += 1
        most[0] = max(most[0], running[0])
        inside.set()
        leave.wait(20)
        running[0] -= 1
        return table.read(image, game, south, redless, lens)

    app = make_app(READER=slow, WAITING_PHOTOS=1, PATIENCE_S=20)
    statuses: list[int] = []

    def send() -> None:
        answer = app.test_client().post("/readings", data=GOOD | {"photo": (BytesIO(picture()), "x.jpg")})
        statuses.append(answer.status_code)

    first = threading.Thread(target=send)
    first.start()
    assert inside.wait(20)
    others = [threading.Thread(target=send) for _ in range(4)]
    for thread in others:
        thread.start()
    for _ in range(400):
        if len(statuses) == 3:
            break
        threading.Event().wait(0.05)
    refused = app.test_client().post("/readings", data=GOOD | {"photo": (BytesIO(picture()), "x.jpg")})
    leave.set()
    for thread in [first, *others]:
        thread.join(20)
    assert sorted(statuses) == [303, 303, 429, 429, 429]
    assert most == [1]
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://example.com"},
    {"Origin": "null"},
    {"Origin": "https://localhost"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_other_sites_cannot_write(client: FlaskClient, headers: dict[str, str], opened: str) -> None:
    for address in ("/virtual", opened + "/edits", opened + "/delete"):
        answer = client.post(address, headers=headers, data={"game": "settlers", "table": "1"})
        assert answer.status_code == 403
    assert client.get(opened).status_code == 200


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": PAGE}, {"Sec-Fetch-Site": "same-origin", "Origin": PAGE}], ids=str
)
def test_the_page_itself_can_write(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/virtual", headers=headers, data={"game": "settlers", "table": "1"}).status_code == 303


def test_other_names_of_this_machine_are_not_answered(client: FlaskClient) -> None:
    answer = client.get("/", base_url="http://evil.example")
    assert answer.status_code == 400
    assert "Code: unknown_host" in answer.text


@pytest.mark.parametrize("address", ["/", "/nothing", "/readings/0000", "/health", "/static/page.css"])
def test_every_answer_carries_the_guards(client: FlaskClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_pages_hold_nothing_that_the_policy_forbids(client: FlaskClient, opened: str) -> None:
    for address in ("/", opened, opened + "/delete", "/nothing"):
        text = client.get(address).text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick=" not in text
        assert "http://" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_an_error_of_our_own_is_said_politely(make_app: MakeApp) -> None:
    def broken(*_: object) -> Reading:
        raise RuntimeError("a secret detail")

    answer = make_app(READER=broken).test_client().post("/virtual", data={"game": "settlers", "table": "1"})
    assert answer.status_code == 500
    assert "not your fault" in answer.text
    assert "secret" not in answer.text


def test_the_reader_is_told_the_lens_that_the_camera_wrote_down(make_app: MakeApp) -> None:
    table, told = TruthfulTable(), list[float | None]()

    def listening(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        told.append(lens)
        return table.read(image, game, south, redless, None)

    client, exif = make_app(READER=listening).test_client(), Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 28
    for photo in (picture(exif=exif), picture()):
        assert client.post("/readings", data=GOOD | {"photo": (BytesIO(photo), "x.jpg")}).status_code == 303
    assert told == [pytest.approx(28 / 43.27), None]
