"""What goes wrong, answered: one sentence, what to do, a stable code; as a page, or as JSON to programs."""

from __future__ import annotations

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, SecurityError

from companion_app.errors import AppError
from companion_app.web.lan import admitted
from rules import RulesError

# The status of an AppError by its code; whatever is not listed is 422: understood, but it cannot be used.
STATUS = {
    "bad_edit": 400,
    "bad_reading": 400,
    "bad_form": 400,
    "photo_missing": 400,
    "photo_empty": 400,
    "key_wanted": 401,
    "foreign_write": 403,
    "only_here": 403,
    "only_looking": 403,
    "no_picture": 404,
    "no_such_reading": 404,
    "no_such_game": 404,
    "no_such_turn": 404,
    "camera_in_use": 409,
    "data_in_use": 503,
    "no_demo": 409,
    "not_now": 409,
    "stale": 409,
    "photo_too_heavy": 413,
    "photo_too_large": 413,
    "photo_heic": 415,
    "photo_svg": 415,
    "photo_unknown": 415,
    "busy": 429,
    "too_many_keys": 429,
    "too_many_streams": 503,
    "not_readable": 503,
    "not_written": 507,
}

# After how many seconds to try again, for those whom time will help.
RETRY_AFTER_S = {"busy": 5, "data_in_use": 5, "too_many_keys": 60, "too_many_streams": 15}

# What to say where Flask itself refuses.
SENTENCES = {
    400: "This request cannot be understood: go back to the page and try again.",
    403: "This is not allowed from here: open the page anew and try again.",
    404: "There is no such page here: begin at the start.",
    405: "This address does not take such a request: begin at the start.",
    413: "This file is too large: 20 MB is the most. Send a smaller picture of the same table.",
    415: "This kind of content is not read here: send a JPEG, PNG or WebP picture.",
    429: "Too much at once: try again in a few seconds.",
    500: "Something broke here, and it is not your fault. Your saved readings are safe; try once more.",
}


def answer_refusals(app: Flask) -> None:
    """Make every refusal of *app* a clear answer."""
    app.register_error_handler(AppError, _app_error)
    app.register_error_handler(RulesError, _rules_error)
    app.register_error_handler(HTTPException, _http_error)


def refuse(status: int, code: str, sentence: str) -> Response:
    """The answer itself."""
    if _wants_json():
        response = jsonify(error=code, sentence=sentence)
    else:
        page = "refusal.html" if admitted() else "join_closed.html"
        response = make_response(render_template(page, status=status, code=code, sentence=sentence))
    response.status_code = status
    if code in RETRY_AFTER_S:
        response.headers["Retry-After"] = str(RETRY_AFTER_S[code])
    return response


def _app_error(error: AppError) -> Response:
    return refuse(STATUS.get(error.code, 422), error.code, error.sentence)


def _rules_error(error: RulesError) -> Response:
    return refuse(422, error.code, error.sentence)


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if isinstance(error, SecurityError):
        sentence = "This address is not one of this computer's own: open the page at http://127.0.0.1 instead."
        # Without a trusted name no page can be drawn: its links would lead nowhere.
        return Response(f"{sentence}\nCode: unknown_host\n", status, mimetype="text/plain")
    if isinstance(error, RequestEntityTooLarge):
        return refuse(status, "photo_too_heavy", SENTENCES[413])
    if error.response is not None and status < 400:
        return make_response(error.get_response())
    sentence = SENTENCES.get(status, SENTENCES[400 if status < 500 else 500])
    return refuse(status, error.name.lower().replace(" ", "_"), sentence)


def _wants_json() -> bool:
    kinds = ["text/html", "application/json"]
    return request.is_json or request.accept_mimetypes.best_match(kinds) == "application/json"
