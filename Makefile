# `make run` opens the dashboard and `make test` runs the tests; both first install what they need into .venv.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
APT := env DEBIAN_FRONTEND=noninteractive apt-get -qq -y
HOST ?= 127.0.0.1
PORT ?= 8501
PYTEST_ARGS ?= -n 2 --dist loadgroup

# The first Python that is new enough; looked for only when the environment is made.
FIND_PYTHON = for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done
# Whether Debian packages can be installed: by root, where there is apt-get.
CAN_APT = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null
LOCK = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --group build \
	--generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml

.PHONY: run test lint bench load fuzz licences audit mutate lock clean chromium
.NOTPARALLEL:

run: $(VENV)/run.stamp
	@$(BIN)/python -m dashboard.cli --host $(HOST) --port $(PORT)

# Two workers share the machine, so each keeps its linear algebra to one thread.
test: export OMP_NUM_THREADS = 1
test: $(VENV)/test.stamp chromium
	@$(BIN)/python -m core.warmup
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/test.stamp
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

bench: $(VENV)/test.stamp
	@$(BIN)/python -m tests.benchmarks

# Half an hour: a sample of small wrong changes, and how many of them the tests notice (docs/testing.md).
mutate: export OMP_NUM_THREADS = 1
mutate: $(VENV)/test.stamp
	@$(BIN)/python -m tests.mutation

# A class of thirty on one server, through a lesson; docs/reliability.md has the results.
load: $(VENV)/test.stamp
	@$(BIN)/python -m tests.load --visitors 30 --pause 2

# 10,000 spoiled files of all formats that are read.
fuzz: $(VENV)/test.stamp
	@$(BIN)/python -m tests.fuzz 10000

# What is installed and under which licences, for people and (CycloneDX) for programs.
licences: $(VENV)/run.stamp
	@$(BIN)/python -m tests.release docs/licences.md
	@$(BIN)/python -m tests.release sbom.json

# Known vulnerabilities of what is locked; pip-audit gets an environment of its own, and asks a database on the network.
audit: | $(BIN)/pip
	@$(BIN)/python -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip --disable-pip-version-check --quiet install pip-audit
	@$(VENV)/audit/bin/pip-audit --strict --require-hashes --disable-pip -r requirements.lock

# Newest versions into both lock files.
lock: $(VENV)/test.stamp
	$(PIP) install uv
	$(LOCK) -o requirements.lock
	$(LOCK) --extra test -c requirements.lock -o requirements-test.lock

clean:
	rm -rf $(VENV) build dist mutants *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find core data dashboard tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/run.stamp: requirements.lock pyproject.toml | $(BIN)/pip
	@echo "Installing Curriculab into $(VENV) (a few minutes the first time) ..."
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q core data dashboard
	@$(BIN)/python -m core.warmup
	@touch $@

# The test requirements contain those of `run` in the same versions.
$(VENV)/test.stamp: requirements-test.lock requirements.lock pyproject.toml | $(BIN)/pip
	@echo "Installing Curriculab and its test tools into $(VENV) (a few minutes the first time) ..."
	@$(PIP) install --require-hashes -r requirements-test.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q core data dashboard
	@$(BIN)/python -m core.warmup
	@touch $(VENV)/run.stamp $@

# Debian keeps the venv module in a package of its own.
$(BIN)/pip:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
		echo "Curriculab needs Python 3.11 or newer: install it, or name yours with 'make PYTHON=...'" >&2; exit 1; \
	fi; \
	if ! $$python -c 'import ensurepip' 2>/dev/null; then \
		if $(CAN_APT); then $(APT) update && $(APT) install python3-venv >/dev/null; \
		else echo "Python's venv module is missing: install Debian's python3-venv" >&2; exit 1; fi; \
	fi; \
	$$python -m venv $(VENV)

# Without Chromium the browser tests say so and skip (with CI=true they fail).
chromium:
	@for package in chromium chromium-headless-shell; do \
		if ! command -v $$package >/dev/null && $(CAN_APT); then \
			echo "Installing Debian's $$package for the browser tests ..."; \
			{ $(APT) update && $(APT) install --no-install-recommends $$package >/dev/null; } || true; \
		fi; \
	done
