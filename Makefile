# From a fresh clone, `make play`, `make serve` and `make test` do everything.
PYTHON ?= python3
BIN := .venv/bin
# One process more than cores: many tests wait for servers and browsers.
TESTERS = $(shell $(PYTHON) -c 'import os; print(min(8, os.cpu_count() + 1))')
# Tests start hundreds of processes: let Python keep what it has compiled, whatever is set here.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/pip --disable-pip-version-check --quiet install --constraint constraints.txt
# What takes long prints a dot each second, until its shell ends.
DOTS = (while sleep 1 >/dev/null 2>&1 && kill -0 $$$$ 2>/dev/null; do printf .; done) & \
	trap "kill $$!; echo" EXIT; trap 'exit 130' INT TERM

# Kernels are compiled where they are imported, and kept beside their modules.
KERNELS = 'from importlib import import_module as load; from pkgutil import iter_modules as found; \
	[load(one.name) for name in ("numduel.ranges", "numduel.research") \
	for one in found(load(name).__path__, f"{name}.")]'

.PHONY: play serve test cover check soak bench libraries learning reference dist clean

play: .venv/core
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/numduel; \
	else $(BIN)/numduel play divisor-duel --p1 random --p2 largest --seed 1; fi

serve: .venv/web
	@$(BIN)/numduel serve --open

test: .venv/test
	@echo 'Running the tests in $(TESTERS) processes: about four minutes on two cores.'
	$(BIN)/pytest -n $(TESTERS) --dist worksteal --durations 10 --durations-min 1

cover: .venv/test
	$(BIN)/pytest -n $(TESTERS) --dist worksteal --cov --cov-report= -m 'not soak and not no_cover' \
		$(addprefix tests/,classes match rooms rules solver store study theory)
	$(BIN)/python tools/branches.py

check: .venv/dev
	$(BIN)/ruff check && $(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy --strict tests/house/user_script.py
	$(BIN)/lint-imports --no-cache | tail -n 4
	$(BIN)/python tools/reference.py --check
	$(BIN)/python tools/pictures.py --check

# One part after another, or those in PARTS: make soak PARTS="kills classes"
soak: .venv/test
	$(BIN)/python tools/soak.py $(PARTS)

bench: .venv/bench
	$(BIN)/python -m bench

# All of them, or those in NAMES: make libraries NAMES="textarena verifiers"
libraries:
	$(PYTHON) -m libraries $(NAMES)

# What docs/learning.md tells of, trained again; on a GPU if there is one.
learning:
	$(PYTHON) -m libraries stable-baselines3
	.libraries/stable-baselines3/bin/python -m libraries.learning

reference: .venv/dev
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/pictures.py

# Built from nothing but the archive, and tried in environments that have nothing else.
dist: .venv/test
	$(BIN)/python tools/dist.py dist

.venv/core: pyproject.toml constraints.txt
	@printf 'Setting up numduel in .venv. This takes up to a minute, once.'
	@$(DOTS); { test -x $(BIN)/python || $(PYTHON) -m venv .venv; } && $(PIP) --editable .
	@touch $@

.venv/web: .venv/core
	@printf 'Installing what the server needs.'
	@$(DOTS); $(PIP) --editable '.[web]'
	@touch $@

.venv/test: .venv/core
	@printf 'Installing what the tests need: about 350 MB to download, once.'
	@$(DOTS); $(PIP) --editable '.[test]'
	@printf 'Compiling the kernels over ranges, once.'
	@$(DOTS); $(BIN)/python -c $(KERNELS)
	@touch $@

.venv/dev: .venv/test
	@printf 'Installing what checks the code: about 30 MB to download, once.'
	@$(DOTS); $(PIP) --editable '.[dev]'
	@touch $@

.venv/bench: .venv/test
	@$(PIP) --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv .libraries .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage dist build
