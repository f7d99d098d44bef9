# Every target sets up what it needs in .venv from Python and the package index alone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNS := $(VENV)/.runs
CORES := $(shell nproc 2>/dev/null || echo 2)

.PHONY: help setup demo test check format bench docs clean

help:
	@echo "make demo    set up, learn costs for the bundled example and write a report"
	@echo "make test    set up and run the tests"
	@echo "make check   set up and run the linters and the type checker"
	@echo "make bench   set up and measure (minutes)"
	@echo "make docs    set up and build the documentation site into site/"

$(STAMP): pyproject.toml src/plancost/version.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP) $(RUNS)

$(RUNS): pyproject.toml src/plancost/version.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	touch $(RUNS)

setup: $(STAMP)

demo: $(RUNS)
	$(BIN)/plancost learn examples/avoid-the-centre --output demo/RESULT.json --pddl-out demo/pddl \
	  --report demo/report.html

test: $(STAMP)
	$(BIN)/python -m pytest -n $(CORES)

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)
	$(BIN)/python -m benchmarks.alternatives
	$(BIN)/python -m benchmarks.growth

docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) demo site build dist .mypy_cache .ruff_cache .pytest_cache
