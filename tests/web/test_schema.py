"""The API does what /openapi.json says, whatever is sent: schemathesis makes the requests.

All its checks are on. A few examples of each operation in `make test`, many in the soak.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis.errors import Unsatisfiable

from numduel.web.app import create_app
from numduel.web.settings import Settings
from soaking import SOAK, figure
from web.server import Server

pytestmark = pytest.mark.soak("fuzzing", short=True)

CHECKS = {
    # Whether a text is a board, or a move of a board, is beyond a schema.
    "positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "409", "422"]},
    # A text that is too long may make the whole body too long.
    "negative_data_rejection": {
        "expected-statuses": ["400", "403", "404", "405", "409", "413", "422"]
    },
    "max_response_time": 30.0,
}


def test_operations_are_asked_in_any_way(server: Server) -> None:
    import schemathesis  # by who needs it: it takes a while
    from schemathesis import GenerationMode
    from schemathesis.config import SchemathesisConfig

    def use(case: Any) -> None:
        case.call_and_validate(base_url=server.address)

    examples = 70 if SOAK else 1
    config = SchemathesisConfig.from_dict({"checks": CHECKS, "generation": {"mode": "all"}})
    raw = create_app(Settings("/nowhere")).openapi()
    schema = schemathesis.openapi.from_dict(raw, config=config)
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations:
        for kind in GenerationMode:
            cases = operation.as_strategy(generation_mode=kind)
            tried = settings(max_examples=examples, database=None)(given(cases)(use))
            with suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
                seed(1)(tried)()
    figure(f"operations of the API, {examples} examples each", len(operations))
    assert len(operations) >= 20
