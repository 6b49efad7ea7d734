"""A language model as a player, at any address that speaks OpenAI's chat completions."""

import http.client
import json
import os
import socket
import time
from concurrent.futures import Future, InvalidStateError
from contextlib import closing, suppress
from email.utils import parsedate_to_datetime
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from numduel.board import Move
from numduel.players.language import prompt, read_move
from numduel.players.player import CHARACTERS, Exchange, Limits, SeesMatch, Spent, View

SECONDS = 60.0
LONGEST_ANSWER = 1_000_000
KEY = "NUMDUEL_LLM_KEY"
_OPENAI = ("api.openai.com", "OPENAI_API_KEY")  # this key goes to OpenAI's own address only
_LATER = (429, 500, 502, 503, 504)  # statuses after which the same question is asked again
_SECRET = 12  # keys this long or longer are secrets; shorter ones fill a field that a server wants
_REFUSED = (401, 403)  # statuses that say that the key is not good
_SHOWN = 300  # characters of a server's error that are told
_RETRIES = 5
_MOST = 10**12  # no cost is so high
_LONGEST_WAIT = 120.0  # seconds that a server may ask for; for more, the answer has failed
_Posted = tuple[int, bytes, float | None]  # status, body, seconds until asking again


class Completion(NamedTuple):
    text: str
    model: str | None = None
    finish: str | None = None  # why the answer ended: `stop`, or `length` where it was cut off
    reasoning_tokens: int | None = None
    cost: float | None = None
    reasoning: str | None = None  # what was thought, in a field of its own: no part of the answer


class ModelPlayer(SeesMatch):
    """Plays what the model answers. The environment variable NUMDUEL_LLM_KEY may have its key.

    Raises `PlayerFailed` for a word that does not name a model and an address.
    """

    def __init__(self, word: str, limits: Limits) -> None:
        self.word, self.limits = word, limits
        self.spent: Spent = Spent()
        self.exchanges: list[Exchange] = []
        self._seconds = SECONDS if limits.seconds is None else limits.seconds
        self._model, at, address = word.removeprefix("llm:").rpartition("@")
        if not self._model or not at or not address:
            raise self.failed("no model")
        try:
            self._address = parts = urlsplit(address)
            secrets = parts.username or parts.password or parts.query or parts.fragment
            good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            good = secrets = None
        if not good or secrets:
            raise self.failed("address", address=address)

    def answer(self, view: View) -> Move:
        if not view.problems:
            self.exchanges = []
        text = prompt(view, self.limits.list_moves)
        self.exchanges.append(Exchange(text, None))
        said = self.complete(text).text
        self.exchanges[-1] = Exchange(text, said)
        return read_move(said, view.board)

    def complete(self, text: str) -> Completion:
        """What it took is added to `spent`. Raises `PlayerFailed`: `key` where that is refused."""
        sampling = self.limits.sampling
        system = [{"role": "system", "content": sampling.system}] if sampling.system else []
        chosen = {"temperature": sampling.temperature, "max_tokens": sampling.max_tokens}
        body = {
            "model": self._model,
            "messages": [*system, {"role": "user", "content": text}],
            **{name: value for name, value in chosen.items() if value is not None},
            **json.loads(sampling.body or "{}"),
        }
        answer = self._ask(json.dumps(body).encode())
        fields = _json(answer)
        said = _completion(fields)
        if said is None:
            told = {"text": _error_text(answer)} if _dict(fields).get("error") else {}
            raise self.failed("error" if told else "answer", **told)
        asked = _tokens(fields, "prompt_tokens", (sampling.system or "") + text)
        answered = _tokens(fields, "completion_tokens", said.text)
        self.spent = self.spent.plus(Spent(0, asked, answered))
        return said

    def _ask(self, body: bytes) -> bytes:
        """The body of a good answer; a server that is busy is asked again, as late as it asks.

        Each request has the same time, and only that counts, not the waiting in between.
        """
        for retry in range(_RETRIES + 1):
            began = time.monotonic()
            self.spent = self.spent.plus(Spent(requests=1))
            try:
                status, answer, later = self._post(body)
            finally:
                self.spent = self.spent.plus(Spent(seconds=time.monotonic() - began))
            answer = self._without_key(answer)
            if status == 200:
                return answer
            pause = later if later is not None else min(0.5 * 2**retry, self._seconds)
            if status not in _LATER or retry == _RETRIES or pause > _LONGEST_WAIT:
                break
            time.sleep(pause)
        said = _error_text(answer) or http.client.responses.get(status, "nothing more")
        problem = "key" if status in _REFUSED else "status"
        raise self.failed(problem, status=status, text=said)

    def _post(self, body: bytes) -> _Posted:
        """A thread fetches it: however a server delays what it sends, the time limit holds."""
        parts, web = self._address, http.client
        connect = web.HTTPConnection if parts.scheme == "http" else web.HTTPSConnection
        connection = connect(parts.hostname or "", parts.port, timeout=self._seconds)
        answered: Future[_Posted] = Future()
        opened: list[socket.socket] = []

        def fetch() -> None:
            with closing(connection), suppress(InvalidStateError):
                try:
                    connection.connect()
                    opened.append(connection.sock)
                    if answered.set_running_or_notify_cancel():  # somebody still waits for it
                        answered.set_result(self._fetch(connection, body))
                except Exception as error:
                    answered.set_exception(error)

        Thread(target=fetch, daemon=True).start()
        try:
            status, answer, later = answered.result(self._seconds)
        except TimeoutError:
            raise self.failed("time", seconds=self._seconds) from None
        except (OSError, http.client.HTTPException) as error:
            detail = getattr(error, "strerror", None) or type(error).__name__
            raise self.failed("connection", detail=str(detail)) from error
        finally:
            answered.cancel()
            for sock in opened:
                with suppress(OSError):  # it is closed already
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
        if len(answer) > LONGEST_ANSWER:
            raise self.failed("flood", limit=LONGEST_ANSWER)
        return status, answer, later

    def _fetch(self, connection: http.client.HTTPConnection, body: bytes) -> _Posted:
        path = f"{self._address.path.rstrip('/')}/chat/completions"
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := self._key():
            headers["Authorization"] = f"Bearer {key}"
        connection.request("POST", path, body, headers)
        with closing(connection.getresponse()) as response:
            later = _seconds_in(response.headers.get("Retry-After", ""))
            return response.status, response.read(LONGEST_ANSWER + 1), later

    def _key(self) -> str:
        host, name = _OPENAI
        theirs = (self._address.scheme, self._address.hostname) == ("https", host)
        key = os.environ.get(KEY) or (os.environ.get(name) if theirs else None)
        return (key or "").strip()

    def _without_key(self, answer: bytes) -> bytes:
        """The answer without the key, which a server may send back: answers are kept and shown."""
        key = self._key().encode()
        return answer.replace(key, b"***") if len(key) >= _SECRET else answer


def _json(body: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(body)
    return None


def _completion(fields: Any) -> Completion | None:
    """What the first choice says; None where this is no chat completion.

    A refusal is an answer, too. A message that only thought is an empty one.
    """
    try:
        choice, usage = fields["choices"][0], _dict(fields.get("usage"))
        message = choice["message"]
        text = _content(message.get("content")) or _content(message.get("refusal"))
        thought = _content(message.get("reasoning_content")) or _content(message.get("reasoning"))
        names = fields.get("model"), choice.get("finish_reason")
    except (LookupError, TypeError, AttributeError):
        return None
    if not text and not thought and message.get("content") is None:
        return None
    model, finish = (name if isinstance(name, str) else None for name in names)
    tokens = _dict(usage.get("completion_tokens_details")).get("reasoning_tokens")
    cost: Any = usage.get("cost")
    tokens = tokens if type(tokens) is int and tokens >= 0 else None
    cost = float(cost) if type(cost) in (int, float) and 0 <= cost < _MOST else None
    return Completion(text, model, finish, tokens, cost, thought or None)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _seconds_in(header: str) -> float | None:
    """The seconds of a header Retry-After, which may be a date; None where it says nothing."""
    with suppress(ValueError):
        return max(0.0, float(header))
    with suppress(ValueError, TypeError):
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    return None


def _content(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _tokens(fields: Any, name: str, text: str) -> int:
    """Tokens of a text, as the server counts them, or about as many."""
    count = _dict(fields.get("usage")).get(name)
    return count if type(count) is int and count >= 0 else -(-len(text) // CHARACTERS)


def _error_text(body: bytes) -> str:
    """What a server says of an error, in short; empty where it says nothing."""
    fields = _json(body)
    for name in ("error", "message", "detail"):
        if isinstance(fields, dict) and name in fields:
            fields = fields[name]
    text = fields if isinstance(fields, str) else body.decode(errors="replace")
    return " ".join(text.split())[:_SHOWN]
