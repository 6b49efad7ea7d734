"""Which status and word an error is answered with. The sentence is `numduel.wording`'s."""

from __future__ import annotations

from numduel import errors

_STATUS: dict[type[errors.NumduelError], int] = {
    errors.NotSeated: 403,
    errors.UnknownRoom: 404,
    errors.UnknownClass: 404,
    errors.UnknownMatch: 404,
    errors.SeatsTaken: 409,
    errors.NotYourTurn: 409,
    errors.StaleChange: 409,
    errors.NotAllowed: 409,
    errors.MatchOver: 409,
    errors.NothingToUndo: 409,
    errors.TooManyRequests: 429,
    errors.TooManyRooms: 503,
    errors.TooManyClasses: 503,
    errors.TooBusy: 503,
    errors.TookTooLong: 503,
    errors.StoreError: 503,
}
_UNREADABLE = 422


def status_of(error: errors.NumduelError) -> int:
    """The HTTP status of the error; what is not named here is input that cannot be used."""
    for kind in type(error).__mro__:
        if kind in _STATUS:
            return _STATUS[kind]
    return _UNREADABLE


def name_of(error: errors.NumduelError) -> str:
    """The error in one word; for an error that a thinker met, the word of that one."""
    if isinstance(error, errors.Unanswerable) and hasattr(errors, error.kind):
        return str(error.kind)
    return type(error).__name__
