# Begin here: `make play` opens the table in a browser, `make test` runs the tests.
# All that must be there is Python 3.11 or newer; everything else goes into the folder .venv.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The first Python that is new enough; another one: make PYTHON=/path/to/python play
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	if $$python -c '$(NEW_ENOUGH)' 2>/dev/null; then echo $$python; break; fi; done)

# Where this is set, each of the hundreds of processes that tests start would compile the whole package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play site demo test test-long test-site lint layouts engine engine-page board-page web-page rulings docs balance bench package clean

help: ## This list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /|/' | awk -F'|' '{ printf "make %-10s %s\n", $$1, $$2 }'

play: $(VENV)/.installed ## Play in the browser: against bots, with friends, around one screen
	@$(BIN)/python -m branchline serve --open

site: $(VENV)/.installed ## The web application as static files in dist/site, playable without a server
	@$(BIN)/python -m branchline site dist/site

demo: $(VENV)/.installed ## A game of each edition between bots: results here, drawings and records in demo/
	@$(BIN)/python -m branchline demo

# The driver of the browser keeps an event loop of its own, so its tests run in processes of their own. When it hangs,
# which has been seen once in a hundred runs, the stacks of all threads are printed and the test is tried once more.
# Tests that stand together mostly run in one process, so that what they share is made once.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal
# Tests wait a third of their time, for processes and clocks: half as many again as processors; long ones half of it:
# twice as many. Browsers wait less.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
WORKERS := $(shell echo $$(( ($(PROCESSORS) * 3 + 1) / 2 )))
LONG_WORKERS := $(shell echo $$(( $(PROCESSORS) * 2 )))
IN_BROWSER := tests/web/browser --reruns 1 --only-rerun crashed -rR

# Tests of native code, which Numba makes, have processes of their own: how a process runs the rules is decided once.
NATIVE := BRANCHLINE_INTERPRET=0 $(PYTEST)

test: $(VENV)/.installed-dev ## The quick tests
	@$(PYTEST) -n $(WORKERS) -m "not long and not native" --ignore=tests/web/browser
	@$(PYTEST) -m "not long" $(IN_BROWSER)

test-long: $(VENV)/.installed-dev ## The tests that take minutes
	@$(PYTEST) -n $(LONG_WORKERS) -m "long and not native" --ignore=tests/web/browser
	@$(NATIVE) -m native
	@$(PYTEST) -m long $(IN_BROWSER)

test-site: $(VENV)/.installed-dev ## The tests of the static site, in a real browser
	@$(BIN)/python -m pytest -n 0 tests/site tests/web/browser/test_site.py

lint: $(VENV)/.installed-dev ## Format, lint and types
	@$(BIN)/python -m ruff format --check
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m mypy

layouts: $(VENV)/.installed ## Lay out the editions anew, after a change of how boards are laid out or of their maps
	@$(BIN)/python -m branchline.draw

engine: $(VENV)/.installed-dev ## Compile the rules and the bots into runtime/engine.wasm, after a change of them; needs Debian's lld
	@$(BIN)/python -m branchline.engine

engine-page: $(VENV)/.installed ## Write the tables of docs/engine.md from the code
	@$(BIN)/python -m branchline.engine.page

board-page: $(VENV)/.installed ## Write the tables of docs/board_format.md from the schema
	@$(BIN)/python -m branchline.boards.format_page

web-page: $(VENV)/.installed ## Write the tables of docs/web.md from the code
	@$(BIN)/python -m branchline.web.reference

rulings: $(VENV)/.installed ## Write docs/rules_index.md and docs/rulings.md from the files of the rules and rulings
	@$(BIN)/python -m branchline.teaching.rules_index
	@$(BIN)/python -m branchline.teaching.rulings

docs: $(VENV)/.installed-docs ## Build the documentation site into site/ and check its links
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

balance: $(VENV)/.installed ## How the editions play: their figures for docs/balance.md and for reports on other boards
	@$(BIN)/python -m branchline.arena.balance

bench: $(VENV)/.installed ## How many games a second
	@$(BIN)/python -m branchline bench

package: $(VENV)/.installed-dev ## Build wheel and sdist into dist/, install them elsewhere and play from there
	@$(BIN)/python .ci/check_packages.py

clean: ## Throw away what tests, checks, builds and the demonstration have left behind
	@rm -rf demo dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. A mark in it says what is installed, so that a second run has nothing to do.

$(VENV)/.installed: pyproject.toml $(VENV)/.made
	@echo "Installing branchline and what it needs into $(VENV) …"
	@$(PIP) --editable '.[web]'
	@touch $@

$(VENV)/.installed-docs: pyproject.toml $(VENV)/.made
	@echo "Installing branchline and the tools for its documentation site into $(VENV) …"
	@$(PIP) --editable '.[docs]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.made
	@echo "Installing branchline, what it needs and the tools for its tests into $(VENV) …"
	@$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.installed

ifneq ($(shell $(BIN)/python -c pass 2>/dev/null && echo works),works)
.PHONY: $(VENV)/.made  # there is none, or its Python is gone: make it anew
endif
$(VENV)/.made:
	@if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		if [ -z "$(PYTHON)" ]; then \
			echo "branchline needs Python 3.11 or newer, and none was found." >&2; \
			echo "Install one (Debian, Ubuntu: apt-get install python3 python3-venv), or name it:" >&2; \
			echo "    make PYTHON=/path/to/python3 play" >&2; exit 1; fi; \
		if ! $(PYTHON) -c '$(NEW_ENOUGH)'; then \
			echo "branchline needs Python 3.11 or newer; $(PYTHON) is not." >&2; exit 1; fi; \
		if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
			echo "This Python cannot make virtual environments: its module ensurepip is missing." >&2; \
			echo "Debian, Ubuntu: apt-get install python3-venv" >&2; exit 1; fi; \
		$(PYTHON) -m venv --clear $(VENV); fi
	@touch $@
