"""What agents observe in one match is as it was: a change here changes what they have learnt."""

from __future__ import annotations

import pytest
from libraries.playthroughs import ALL, PLACE, TESTED, differs


@pytest.mark.parametrize("name", TESTED)
def test_what_an_agent_observes(name: str) -> None:
    assert not differs(name)


def test_every_adaptor_has_a_playthrough() -> None:
    assert {path.stem for path in PLACE.glob("*.txt")} == {*ALL}
    adaptors = PLACE.parents[1] / "src/numduel/adaptors"
    shared = "__init__ duel environment position vector_table"
    shared += " inspect inspect_positions"  # which tests/agents/test_inspect.py plays through
    found = {path.stem for path in adaptors.glob("*.py")} - {*shared.split()}
    assert found == {*ALL}
