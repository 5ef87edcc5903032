"""A game at the table from its beginning to its end: its log, its states, and the one owner of both."""

from companion_app.event_log import NotKept, Stale
from companion_app.session.course import Course, Entry, How, What, fold
from companion_app.session.log import GameLog
from companion_app.session.ruling import Judge
from companion_app.session.session import GameSession
from companion_app.session.states import COMMANDS, LEADS_TO, Do, Fact, NotNow, State
from companion_app.session.terms import Terms
from companion_app.session.view import Layout, MainButton, View

__all__ = [
    "COMMANDS",
    "LEADS_TO",
    "Course",
    "Do",
    "Entry",
    "Fact",
    "GameLog",
    "GameSession",
    "How",
    "Judge",
    "Layout",
    "MainButton",
    "NotKept",
    "NotNow",
    "Stale",
    "State",
    "Terms",
    "View",
    "What",
    "fold",
]
