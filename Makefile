# Every target sets up what it needs in .venv from Python and the package index alone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNS := $(VENV)/.runs
MINUTES ?= 10
SEED ?= 1
PACE ?= 1
EXTRAS := cbc,cluster,drift,explore,networkx,pandas,plots,unified-planning
CORES := $(shell nproc 2>/dev/null || echo 2)
# One process more than there are cores: many tests wait for others.
PYTEST = $(BIN)/python -m pytest -n $$(($(CORES) + 1)) --dist worksteal

# Everything that is installed comes from a lock file, with its hash: see docs/reliability.md. The lock
# file is complete, so pip need not look for dependencies; older ones, asked to, take `coverage[toml]`
# for another package than the pinned `coverage` and refuse as soon as there is a newer release.
INSTALL := $(BIN)/python -m pip install --quiet --no-deps
OURSELVES := $(INSTALL) --no-build-isolation --editable .
COMPILE := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --no-config --universal \
  --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links

.PHONY: help setup demo test test-all test-rest test-elsewhere test-lowest coverage check audit format lock schema bench soak docs \
  package urls clean

help:
	@echo "make demo    set up, learn costs for the bundled example and write a report"
	@echo "make test    set up and run the tests (minutes)"
	@echo "make test-all  the same with slow tests and all examples of property tests"
	@echo "make check   set up, run the linters and the type checker, look for known vulnerabilities"
	@echo "make bench   set up and measure (minutes)"
	@echo "make soak    set up and run random cases with faults for MINUTES=10, all answers checked"
	@echo "make coverage  make test-all with the lines that no test reaches"
	@echo "make package build the sdist and the wheel, and try them in a clean environment"
	@echo "make docs    set up and build the documentation site into site/"
	@echo "make lock    write requirements/*.lock anew (UPGRADE=--upgrade for new versions)"

$(STAMP): pyproject.toml requirements/dev.lock src/plancost/version.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --requirement requirements/dev.lock
	$(OURSELVES)
	touch $(STAMP) $(RUNS)

$(RUNS): pyproject.toml requirements/run.lock src/plancost/version.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --requirement requirements/run.lock
	$(OURSELVES)
	touch $(RUNS)

setup: $(STAMP)

demo: $(RUNS)
	$(BIN)/plancost learn examples/avoid-the-centre --output demo/RESULT.json --pddl-out demo/pddl \
	  --report demo/report.html
	@echo "open demo/report.html in a browser"

test: $(STAMP)
	$(PYTEST)

test-all: $(STAMP)
	$(PYTEST) --all

# After make test: what it left out, with half of the examples of property tests.
test-rest: $(STAMP)
	$(PYTEST) --rest

# The core without the calls and files that only Linux has.
test-elsewhere: $(STAMP)
	$(PYTEST) --elsewhere tests/test_platforms.py tests/api tests/files tests/learning tests/observations \
	  tests/oracles tests/results tests/solver tests/system

# The oldest versions that pyproject.toml allows of everything that plancost itself needs.
test-lowest: $(STAMP)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/lowest
	$(BIN)/uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct \
	  --group test --editable '.[$(EXTRAS)]'
	build/lowest/bin/python -m pytest -n $(CORES)

coverage: $(STAMP)
	$(BIN)/python -m pytest -n $(CORES) --all --cov --cov-report=xml --cov-report=term:skip-covered

check: $(STAMP)
	$(BIN)/python -m pip check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src
	$(BIN)/python requirements/audit.py requirements/dev.lock

audit: $(STAMP)
	$(BIN)/python requirements/audit.py requirements/dev.lock

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Needs an environment with the uv that pyproject.toml pins; run it after changing dependencies.
lock:
	$(COMPILE) $(UPGRADE) --group dev pyproject.toml requirements/build.in -o requirements/dev.lock
	$(COMPILE) --constraints requirements/dev.lock pyproject.toml requirements/build.in -o requirements/run.lock

# After a change of the types in src/plancost/results/result.py.
schema: $(STAMP)
	$(BIN)/python -c 'import json, plancost; print(json.dumps(plancost.result_schema(), indent=1))' \
	  > docs/schema/result.schema.json

bench: $(STAMP)
	$(BIN)/python -m benchmarks.alternatives
	$(BIN)/python -m benchmarks.growth

soak: $(STAMP)
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES) --seed $(SEED) --pace $(PACE) --output soak.json

docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The sdist and the wheel in dist/, built as an installer would and tried in a clean environment.
package: $(STAMP)
	rm -rf dist
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir dist
	$(BIN)/python -m release.try_package dist

# The address of a new repository, wherever it is needed: make urls REPOSITORY=https://host/owner/plancost
urls: $(STAMP)
	$(BIN)/python -m release.fill_urls "$(REPOSITORY)"

clean:
	rm -rf $(VENV) demo soak.json site build dist .mypy_cache .ruff_cache .pytest_cache
