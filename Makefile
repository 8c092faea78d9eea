# Everything a contributor runs, on a machine that has git, make and Python with venv.
# PYTHON chooses the interpreter (make test PYTHON=python3.13), VENV the environment's folder.

PYTHON ?= python3
VENV ?= .venv

bin := $(VENV)/bin
pip := $(bin)/python -m pip --disable-pip-version-check --quiet
pins := --constraint constraints.txt
install := $(pip) install $(pins) --build-constraint constraints.txt

# Stamps: which interpreter made the environment, and what has been installed into it.
made := $(VENV)/.made-by-$(notdir $(PYTHON))
app := $(VENV)/.app
tools := $(VENV)/.tools

.DEFAULT_GOAL := help
.PHONY: help demo test thorough lint format screenshots snapshots bench reliability clean

help: ## Say what make can do
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: $(app) ## Install into .venv and watch runs live
	@$(bin)/zeroth-tui demo

test: lint ## Install, then lint, types, import contracts and all tests but slow ones
	$(bin)/python -m pytest -n 4 --dist worksteal

thorough: lint ## The same with the tests that take long, and 500 examples of each kind
	HYPOTHESIS_PROFILE=thorough $(bin)/python -m pytest -n 4 --dist worksteal --thorough

lint: $(tools) ## Check style, types and who imports whom
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

format: $(tools) ## Format the code and mend what ruff can mend
	$(bin)/ruff format .
	$(bin)/ruff check --fix .

screenshots: $(tools) ## Draw the README's pictures anew
	$(bin)/python -m tests.pictures

snapshots: $(tools) ## Accept today's screens as the expected ones
	$(bin)/python -m pytest --snapshot-update tests/tui

bench: $(tools) ## Measure speed against the targets
	$(bin)/python -m tests.benchmarks

reliability: $(tools) ## Kill, race, fuzz and attack it, and count what broke
	$(bin)/python -m tests.reliability

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(made):
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	  "zeroth-tui needs Python 3.11 or newer; name one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(app): $(made) pyproject.toml constraints.txt
	$(pip) install $(pins) --upgrade pip
	$(install) --editable .
	@touch $@

$(tools): $(app)
	$(install) --group dev
	@touch $@
