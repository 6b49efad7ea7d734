"""A language model as a player, at any address that speaks OpenAI's chat completions."""

from __future__ import annotations

import http.client
import json
import os
import time
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from numduel.board import Move
from numduel.errors import PlayerFailed
from numduel.players.language import answer
from numduel.players.view import Limits, SeesMatch, View

SECONDS = 60.0
LONGEST_ANSWER = 1_000_000
KEY = "NUMDUEL_LLM_KEY"
_OPENAI = ("api.openai.com", "OPENAI_API_KEY")
"""The usual variable for OpenAI's own address; its key goes nowhere else."""
_LATER = (429, 500, 502, 503, 504)
"""Statuses after which the same question is asked again while there is time."""


class ModelPlayer(SeesMatch):
    """Plays what the model answers to `prompt`.

    The key for the address is taken from the environment variable
    NUMDUEL_LLM_KEY, if there is one. Raises `PlayerFailed` for a word that does
    not name a model and an address.
    """

    def __init__(self, word: str, limits: Limits) -> None:
        self.limits = limits
        self._word = word
        self._seconds = SECONDS if limits.seconds is None else limits.seconds
        self._model, at, address = word.removeprefix("llm:").rpartition("@")
        if not self._model or not at or not address:
            raise PlayerFailed(player=word, problem="no model")
        try:
            self._address = urlsplit(address)
            port = self._address.port
        except ValueError:
            port = -1
        parts = self._address if port != -1 else urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.password:
            raise PlayerFailed(player=word, problem="address", address=address)

    def answer(self, view: View) -> Move:
        return answer(view, self.complete)

    def complete(self, text: str) -> str:
        """The model's answer to a prompt. Raises `PlayerFailed`."""
        body = {"model": self._model, "messages": [{"role": "user", "content": text}]}
        deadline = time.monotonic() + self._seconds
        pause = 0.5
        while True:
            status, answer = self._post(json.dumps(body).encode(), deadline)
            if status == 200:
                return self._content(answer)
            if status not in _LATER or time.monotonic() + pause > deadline:
                raise PlayerFailed(player=self._word, problem="status", status=status)
            time.sleep(pause)
            pause *= 2

    def _post(self, body: bytes, deadline: float) -> tuple[int, bytes]:
        parts = self._address
        connect: type[http.client.HTTPConnection] = http.client.HTTPSConnection
        if parts.scheme == "http":
            connect = http.client.HTTPConnection
        connection = connect(parts.hostname or "", parts.port, timeout=self._left(deadline))
        try:
            path = f"{parts.path.rstrip('/')}/chat/completions"
            connection.request("POST", path, body, self._headers())
            self._shorten(connection, deadline)
            with closing(connection.getresponse()) as response:
                answer = bytearray()
                while chunk := self._chunk(connection, response, deadline):
                    answer += chunk
                    if len(answer) > LONGEST_ANSWER:
                        raise PlayerFailed(player=self._word, problem="flood", limit=LONGEST_ANSWER)
                return response.status, bytes(answer)
        except TimeoutError:
            raise self._late() from None
        except (OSError, http.client.HTTPException) as error:
            detail = getattr(error, "strerror", None) or type(error).__name__
            raise PlayerFailed(
                player=self._word, problem="connection", detail=str(detail)
            ) from error
        finally:
            connection.close()

    def _chunk(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        deadline: float,
    ) -> bytes:
        """What has come by now: an answer that drips in is cut off at the deadline too."""
        self._shorten(connection, deadline)
        return response.read1(65_536)

    def _shorten(self, connection: http.client.HTTPConnection, deadline: float) -> None:
        left = self._left(deadline)
        if connection.sock is not None:
            connection.sock.settimeout(left)

    def _left(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._late()
        return left

    def _late(self) -> PlayerFailed:
        return PlayerFailed(player=self._word, problem="time", seconds=self._seconds)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        host, name = _OPENAI
        key = os.environ.get(KEY)
        if not key and self._address.hostname == host and self._address.scheme == "https":
            key = os.environ.get(name)
        if key:
            headers["Authorization"] = f"Bearer {key.strip()}"
        return headers

    def _content(self, answer: bytes) -> str:
        try:
            fields: Any = json.loads(answer)
            content = fields["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            content = None
        if not isinstance(content, str):
            raise PlayerFailed(player=self._word, problem="answer")
        return content
