"""What a client's requests take is on its account, and who is past the share waits for others."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from loops import on_loop
from numduel.errors import TooBusy, TooManyRequests
from numduel.thinking import meter as metering
from numduel.thinking import turns
from numduel.thinking.meter import VISIT, Meter, Quota, Visit, of_address, of_client, of_limited
from numduel.thinking.turns import Rate, Turns
from raised import raised

STEP = 0.01
GREEDY, MODEST = b"greedy", b"modest"


def work(seconds: float = STEP) -> None:
    """Hold the loop for so long of this thread's own time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def steps(count: int, told: Callable[[], object] = lambda: None) -> str:
    for _ in range(count):
        work()
        told()
        await asyncio.sleep(0)
    return "done"


@on_loop
async def test_the_loop_is_paid_for_and_waiting_is_not() -> None:
    meter = Meter(0.1)
    visit = meter.visit(GREEDY, None, {})

    async def mixed() -> str:
        await asyncio.sleep(0.3)
        return await steps(5)

    assert await visit.run(mixed()) == "done"
    assert 5 * STEP <= visit.account.taken < 5 * STEP + 0.1
    assert visit.account.address.taken == visit.account.taken
    assert not visit.is_past
    visit.pay(0.3)
    assert visit.is_past
    assert not meter.visit(MODEST, None, {}).is_past


@on_loop
async def test_errors_and_cancelling_pass_through() -> None:
    visit = Meter(0.1).visit(GREEDY, None, {})
    seen: list[str] = []

    async def cut_off() -> None:
        try:
            await asyncio.sleep(1_000)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def broken() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await asyncio.sleep(1_000)
        raise KeyError

    for _ in range(2):
        task = asyncio.create_task(_as_task(visit, cut_off()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(KeyError):
            await visit.run(broken())
        visit.pay(100)  # and again past the share
    assert seen[0] == "cancelled"
    assert not visit.meter.steps._waiting
    assert not visit.meter.steps._count


async def _as_task(visit: Visit, work: Coroutine[Any, Any, Any]) -> Any:
    return await visit.run(work)


@on_loop
async def test_those_past_their_share_take_turns_and_others_wait_for_one_step() -> None:
    """However many requests somebody has, and however many tokens."""
    meter = Meter(0.1)
    order: list[bytes] = []

    def running(name: bytes, token: str | None, count: int) -> asyncio.Task[str]:
        visit = meter.visit(name, token, {})
        return asyncio.create_task(_as_task(visit, steps(count, lambda: order.append(name))))

    tokens = [f"token{number}" for number in range(20)]
    for token in tokens:
        meter.remember(token)
    meter.visit(GREEDY, None, {}).pay(1)
    greedy = [running(GREEDY, token, 6) for token in tokens]
    await asyncio.sleep(0.05)
    meter.visit(MODEST, None, {}).pay(1)
    begun, waited = len(order), running(MODEST, None, 6)
    await waited
    assert order[begun:].count(GREEDY) <= 6 + 2, "as many as its own, not as many as the requests"
    begun, straight = len(order), running(b"within the share", None, 6)
    await straight
    assert order[begun:].count(GREEDY) <= 6 + 2
    await asyncio.gather(*greedy)


@on_loop
async def test_at_one_address_a_flood_does_not_hold_up_who_holds_a_token() -> None:
    meter = Meter(0.1)
    meter.remember("pupil", "class")
    order: list[str] = []
    for token, count in ((None, 30), ("pupil", 1)):
        for _ in range(count):
            visit = meter.visit(b"school", token, {})
            visit.pay(0.05)
            told = steps(4, lambda token=token: order.append(str(token)))  # type: ignore[misc]
            asyncio.get_running_loop().create_task(_as_task(visit, told))
    while order.count("pupil") < 4:
        await asyncio.sleep(0)
    assert len(order) <= 12
    while len(order) < 31 * 4:
        await asyncio.sleep(0)


async def _waited(turns: Turns, visit: Visit) -> None:
    await turns.wait(visit.account)


@on_loop
async def test_turns_are_few_in_all_and_for_one_address() -> None:
    meter, places = Meter(0.1), Turns(3, each=2, past=2)
    one, other = (meter.visit(name, None, {}) for name in (b"one", b"other"))
    await places.wait(one.account)
    await places.wait(one.account)
    third = asyncio.create_task(_waited(places, one))
    await asyncio.sleep(0)
    assert not third.done(), "two of one address"
    other.pay(1)
    late = asyncio.create_task(_waited(places, other))
    await asyncio.sleep(0)
    assert not late.done(), "the last place is for those within their share"
    left = asyncio.create_task(_waited(places, one))
    await asyncio.sleep(0)
    left.cancel()
    await asyncio.wait([left])
    places.leave(one.account)
    await asyncio.wait([third])
    places.leave(one.account)
    places.leave(one.account)
    await late
    places.leave(other.account)
    assert (places._count, places._waiting, places._inside) == (0, {}, {})


@on_loop
async def test_who_waits_goes_in_fair_order_and_in_a_full_line_who_has_the_most_gives_way() -> None:
    meter = Meter(0.1)

    async def served(line: Turns, name: str, order: list[str]) -> None:
        visit = meter.visit(name[:1].encode(), None, {})
        await line.wait(visit.account)
        order.append(name)
        visit.pay(0.001)
        await asyncio.sleep(0)
        line.leave(visit.account)

    async def all_served(*names: str) -> list[str]:
        """In which order; a star for whoever was refused."""
        line, order = Turns(1, waiting=4), list[str]()
        asked = [asyncio.create_task(served(line, name, order)) for name in names]
        told = await asyncio.gather(*asked, return_exceptions=True)
        refused = [name for name, one in zip(names, told, strict=True) if isinstance(one, TooBusy)]
        assert (line._count, line._waiting, line._inside) == (0, {}, {})
        return [*order, *(f"{name}*" for name in refused)]

    assert await all_served("a1", "a2", "a3", "b1", "c1") == ["a1", "b1", "c1", "a2", "a3"]
    told = await all_served("g1", "g2", "g3", "h1", "g4", "g5", "i1", "h2")
    assert told == ["g1", "h1", "i1", "g2", "g3", "g4*", "g5*", "h2*"]
    meter.visit(b"d", None, {}).pay(1.0)
    assert await all_served("e1", "d1", "f1") == ["e1", "f1", "d1"], "within the share comes first"
    with pytest.raises(TooBusy):
        await Turns(0, waiting=0).wait(meter.visit(b"j", None, {}).account)


def test_a_rate_is_refilled_evenly_and_forgets_who_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    tenth = Rate(10, 1, 5)
    assert [tenth.take(GREEDY, 100.0) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.1)]
    assert tenth.take(GREEDY, 100.1) == 0.0
    tenth.take(MODEST, 100.0 + turns.FORGET_SECONDS)
    assert len(tenth._full_at) == 1, "the first is full again"
    monkeypatch.setattr(turns, "MOST_CLIENTS", 100)
    for number in range(1_000):
        tenth.take(number.to_bytes(2), 200.0)
        assert len(tenth._full_at) <= 100
    assert [tenth.take((999).to_bytes(2), 200.0) for _ in range(5)][-1] > 0, "the last is known"


def test_making_tokens_gains_nothing() -> None:
    """A token counts once it was given a seat, and then its address pays as before."""
    meter = Meter(0.1, thinking=30)
    stranger = meter.visit(GREEDY, None, {})
    assert meter.visit(GREEDY, "made up", {}).account is stranger.account
    seats = [f"seat{number}" for number in range(300)]
    for token in seats:
        meter.remember(token)
    accounts = {id(meter.visit(GREEDY, token, {}).account) for token in seats}
    assert len(accounts) == metering.MOST_SEATS + 1, "some have their own, the rest share one"
    for token in seats:
        visit = meter.visit(GREEDY, token, {})
        visit.pay(0.001)
        visit.pay_thinking(0.2)
    assert stranger.is_past
    raised(TooManyRequests, stranger.check_thinking)
    assert not meter.visit(MODEST, seats[0], {}).is_past, "it is not the token's alone"


@on_loop
async def test_hard_limits_go_by_class_for_its_members() -> None:
    meter = Meter(0.1, thinking=30, classes=10)
    school = b"ten classes of thirty behind one address"
    for number in range(30 * 12):
        meter.remember(f"pupil{number}", f"class{number // 30}")
    visits = [meter.visit(school, f"pupil{number}", {}) for number in range(30 * 12)]
    counted = {visit.limited for visit in visits}
    assert len(counted) == 11, "twelve classes: ten of their own, and the address's"
    assert visits[0].limited == visits[29].limited != visits[30].limited
    visits[0].pay_thinking(100)
    for visit in (visits[0], visits[29]):
        raised(TooManyRequests, visit.check_thinking)
    visits[30].check_thinking()
    rooms, codes, classes = (
        Quota("rooms", (of_limited, Rate(1, 60, 1))),
        Quota("codes", (of_client, Rate(1, 60, 1))),
        Quota("classes", (of_address, Rate(1, 60, 1))),
    )
    for number, left in (
        (0, (True, True, True)),
        (1, (False, True, False)),
        (30, (True, True, False)),
    ):
        VISIT.set(visits[number])
        for quota, is_left in zip((rooms, codes, classes), left, strict=True):
            try:
                quota.take()
                assert is_left
            except TooManyRequests:
                assert not is_left


def test_one_member_leaves_the_class_most_of_its_thinking() -> None:
    """From whatever address; others that answer for the class pay for nothing of their own."""
    meter = Meter(0.1, thinking=30)
    for token in ("pupil", "teacher"):
        meter.remember(token, "class")
    pupil = [meter.visit(address, "pupil", {}) for address in (b"school", b"home")]
    for count in range(5):
        try:
            pupil[count % 2].check_thinking()
        except TooManyRequests:
            break
        pupil[count % 2].pay_thinking(5)
    assert 1 < count < 4
    for visit in pupil:
        raised(TooManyRequests, visit.check_thinking)
        visit.for_class().check_thinking()
    teacher = meter.visit(b"school", "teacher", {})
    teacher.check_thinking()
    teacher.for_class().pay_thinking(10)
    teacher.check_thinking()


def test_who_is_idle_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (metering, turns):
        monkeypatch.setattr(module, "MOST_CLIENTS", 100)
    meter = Meter(0.1)
    for number in range(1_000):
        meter.visit(number.to_bytes(2), None, {}).pay(1)
        assert len(meter._addresses) <= 101
        meter.remember(str(number))
        assert len(meter._holders) <= 100
    assert meter.visit((999).to_bytes(2), None, {}).is_past, "the last is known"


@on_loop
async def test_what_held_the_loop_is_logged_by_its_route_alone(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Route:
        path = "/room/{code}"

    monkeypatch.setattr(metering, "HELD", 0.02)
    meter = Meter()
    where = {"path": "/room/secret", "client": ("192.0.2.1", 1), "route": Route()}

    async def slow(seconds: float) -> None:
        work(seconds)

    for seconds in (0.1, 0.1, 0.3, 0.3):
        await meter.visit(b"192.0.2.1", None, where).run(slow(seconds))
    assert [record.message for record in caplog.records] == [
        "The event loop was held for 0.1 s by /room/{code}.",
        "The event loop was held for 0.3 s by /room/{code}.",
    ], "again only where it is much worse"
