# Every target sets up what it needs in .venv from Python and the package index alone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CASE ?= examples/town
MINUTES ?= 10
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)
INSTALL := $(BIN)/python -m pip install --quiet --no-deps
COMPILE := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --no-config \
  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
  $(UPGRADE)

.PHONY: help setup demo test check format lock schema soak docs package clean

help:
	@echo "make demo   set up, learn costs for the bundled example, write them as JSON and as PDDL"
	@echo "make test   set up and run the tests"
	@echo "make check  set up, run the linter and the type checker"
	@echo "make soak   set up and run random cases for MINUTES=10, all answers checked"
	@echo "make format make the code look as make check wants it"
	@echo "make schema write docs/result.schema.json anew"
	@echo "make docs   set up and build the pages of docs/ into site/"
	@echo "make package  build dist/ (sdist and wheel) and try it in an environment of its own"
	@echo "make lock   write requirements/*.lock anew (UPGRADE=--upgrade for new versions)"
	@echo "make clean  remove all that these made"

# The lock file is complete and has hashes, so pip need not look for dependencies.
$(STAMP): pyproject.toml requirements/dev.lock src/plancost/__init__.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --requirement requirements/dev.lock
	$(INSTALL) --no-build-isolation --editable .
	touch $(STAMP)

setup: $(STAMP)

demo: $(STAMP)
	mkdir -p demo
	$(BIN)/plancost learn $(CASE) --output demo/RESULT.json
	$(BIN)/plancost export $(CASE) demo/RESULT.json --output demo/pddl

test: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# After a change of the types in src/plancost/result/model.py.
schema: $(STAMP)
	$(BIN)/python -c 'import json; from plancost.result.model import result_schema; \
	  print(json.dumps(result_schema(), indent=1))' > docs/result.schema.json

# Needs an environment with the uv that pyproject.toml pins; run it after changing dependencies.
lock:
	$(COMPILE) --group dev pyproject.toml -o requirements/dev.lock
	$(COMPILE) --group docs --constraint requirements/dev.lock -o requirements/docs.lock

soak: $(STAMP)
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES)

docs: $(STAMP)
	$(INSTALL) --require-hashes --requirement requirements/docs.lock
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

package: $(STAMP)
	rm -rf dist
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir dist
	$(PYTHON) -m venv --clear build/try
	build/try/bin/python -m pip install --quiet dist/*.whl
	build/try/bin/plancost doctor
	build/try/bin/plancost learn $(CASE)

clean:
	rm -rf $(VENV) demo build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
