# Every target is one line; `make` alone lists them. Nothing but git, make and Python 3.11 or newer needs to be there.
.DEFAULT_GOAL := help
.PHONY: help bench test test-all check engine perf lock
BIN := .venv/bin
LOCK := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-emit-options --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1#\2/p' $(MAKEFILE_LIST) | awk -F'#' '{ printf "  %-14s %s\n", $$1, $$2 }'

bench: .venv/.ready engine ## judge the benchmark's own agents; PREDICTIONS=file judges patches, OUT=folder, ARGS="--task ID"
	@$(BIN)/assay bench $(if $(PREDICTIONS),--predictions "$(PREDICTIONS)") $(if $(OUT),--out "$(OUT)") $(ARGS)

test: .venv/.ready engine ## run the tests, but for the slow ones; ARGS="-k name" chooses
	@$(BIN)/python -m pytest -n 2 -m "not slow" $(ARGS)

test-all: .venv/.ready engine ## run every test
	@$(BIN)/python -m pytest -n 2 $(ARGS)

check: .venv/.ready ## lint, types, direction of imports, dependencies
	@$(BIN)/ruff check && $(BIN)/mypy && $(BIN)/lint-imports --no-logo && $(BIN)/deptry .

engine: .venv/.ready ## have a container engine that answers: install and start it where we are root
	@$(BIN)/python -m runner.engine.start

perf: .venv/.ready engine ## measure what an evaluation costs here
	@$(BIN)/python tests/perf/run.py $(ARGS)

lock: .venv/.ready ## write requirements*.txt anew from pyproject.toml; ARGS=--upgrade takes the newest
	@$(LOCK) $(ARGS) -o requirements.txt pyproject.toml && $(LOCK) $(ARGS) --extra dev -c requirements.txt -o requirements-dev.txt pyproject.toml

.venv/.ready: requirements-dev.txt
	@.ci/venv
