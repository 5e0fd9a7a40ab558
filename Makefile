.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
PEERS := .venv-peers
PEERS_READY := $(PEERS)/.ready

help: ## Say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

INSTALL = $(BIN)/python -m pip install --disable-pip-version-check --no-compile --constraint constraints.txt --editable

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ToWow needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "Making $(VENV), and installing in it what ToWow runs with: about 50 packages, 70 MB to download."
	@$(PYTHON) -m venv $(VENV)
	$(INSTALL) .
	@echo "Everything is there. The first start takes some seconds more: Python compiles what it imports."
	@touch $(READY)

# What ToWow runs with is installed first, so that each step says what it waits for.
$(TOOLS): $(READY)
	@echo "Installing what the tests and checks need besides: 150 MB to download."
	$(INSTALL) '.[dev]'
	@touch $(TOOLS)

setup: $(TOOLS) ## Create .venv with everything pinned in constraints.txt

demo: $(READY) ## Run the whole product here: no Slack account, no API key
	$(BIN)/towow demo

run: $(READY) ## Run against a real Slack workspace (needs tokens, see README)
	$(BIN)/towow run

# Who has no Python keep what it compiled would have each of the workers compile every test anew.
test test-all: export PYTHONDONTWRITEBYTECODE :=

test: $(TOOLS) ## Run the tests, but for what is exhaustive; a browser for the page's is installed where that works
	$(BIN)/python -m tests.equipment
	$(BIN)/python -m pytest -n 4 --dist worksteal

test-all: $(TOOLS) ## Run what is exhaustive: every kill point, every role times every act, more generated examples
	$(BIN)/python -m pytest -n 3 --dist worksteal --exhaustive -m "exhaustive or generated"

check: $(TOOLS) ## Lint, types, import contracts, docs, sizes of files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_docs.py
	$(BIN)/python -m tests.packaging.sizes

SECONDS ?= 120
SEED ?= 7
BOTS ?= 1
chaos: $(TOOLS) ## Besiege the running product: kills, faults at both wires, a full disk, clocks (SECONDS=120 SEED=7 BOTS=1)
	$(BIN)/python -m tests.chaos --seconds $(SECONDS) --seed $(SEED) --bots $(BOTS)

audit: $(TOOLS) ## Compare what is pinned with known vulnerabilities, where the network allows it
	$(BIN)/python -m tests.audit

wheels: $(TOOLS) ## Ask the registry for a wheel of each package, for every Python and system, where one can be reached
	$(BIN)/python -m tests.packaging.wheels

bench: $(TOOLS) ## Measure what it costs, beside a bare journal
	$(BIN)/python -m benchmarks

$(PEERS_READY): benchmarks/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $(PEERS_READY)

bench-peers: $(TOOLS) $(PEERS_READY) ## Measure the same flow on LangGraph and agent-framework, in an environment of their own
	$(BIN)/python -m benchmarks.peers --python $(PEERS)/bin/python

.PHONY: help setup demo run test test-all check chaos audit wheels bench bench-peers
