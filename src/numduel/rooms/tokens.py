"""Secrets and short addresses. The store keeps a token only hashed with its room's code: whoever
reads it can neither sit down nor tell that two seats in two rooms are the same person's.
"""

import re
from hashlib import sha256
from secrets import choice, token_urlsafe

from numduel.errors import UnknownRoom

_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those easily taken for each other
CODE_LENGTH = 10
_CODE = re.compile(f"[{_LETTERS}]{{{CODE_LENGTH}}}", re.ASCII)
CLASS_CODE_LENGTH = 5
_WORD = re.compile("[a-z]{3}")
_CLASS_CODE = re.compile(f"[{_LETTERS}]{{{CLASS_CODE_LENGTH}}}", re.ASCII)


def new_token() -> str:
    return token_urlsafe(_BYTES)


def is_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def hashed(code: str, token: str) -> str:
    return sha256(f"{code}:{token}".encode()).hexdigest()


def new_code() -> str:
    return "".join(choice(_LETTERS) for _ in range(CODE_LENGTH))


def new_class_code() -> str:
    """The address of a class, shorter still. It spells no word: no three letters in a row."""
    while True:
        code = "".join(choice(_LETTERS) for _ in range(CLASS_CODE_LENGTH))
        if not _WORD.search(code):
            return code


def is_class_code(text: str) -> bool:
    return _CLASS_CODE.fullmatch(text) is not None


def is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


def check_code(text: str) -> None:
    """Raise `UnknownRoom` for what is no code, before anybody looks for it."""
    if not _CODE.fullmatch(text):
        raise UnknownRoom(code=text)
