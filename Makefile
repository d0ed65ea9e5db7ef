# `make play` and `make test` do everything on a machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet

.PHONY: play quick test chromium check bench-exact bench-serve bench-http golden lock clean test-dealing test-protect vectors test-faults bench examples agree-slow test-api-long

play: $(VENV)/play.stamp ## set up, then open the house at http://127.0.0.1:8000
	@$(MAKE) --no-print-directory web || true
	$(BIN)/pairhouse serve

quick: $(VENV)/dev.stamp ## style, layers, rules, replay, rounds, the pit and a served round: an answer in under a minute
	$(BIN)/ruff check -q .
	$(BIN)/lint-imports --no-cache | tail -1
	$(BIN)/pytest -n 2 tests/core/test_fingerprint.py tests/games tests/machines/test_views.py tests/machines/test_enumerate.py \
		tests/rounds/test_slip.py tests/rounds/test_table_limits.py tests/rounds/test_private_table.py tests/house/test_pit.py \
		tests/analysis/methods tests/server/test_rounds_api.py tests/test_golden.py tests/test_tidy.py tests/test_readme.py \
		-k "not postgresql and not really_dealt and not at_which_reading"

test: $(VENV)/dev.stamp check chromium ## set up, then run every test
	$(BIN)/pytest -n 2

chromium: ## a browser for the tests of the pages, from Debian's packages where there is none
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	as_root=`[ "$$(id -u)" = 0 ] || echo sudo`; echo "Fetching Chromium for the tests of the pages ..."; \
	{ $$as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends chromium; } >/dev/null \
		|| echo "Chromium could not be installed, so the tests of the pages will be skipped" >&2

test-dealing: $(VENV)/dev.stamp ## a million shuffles of every pack (half an hour)
	$(BIN)/pytest -n 2 -m slow tests/rounds/test_dealing.py

test-protect: $(VENV)/dev.stamp ## what counters win and how they are noticed, over many shoes (some minutes)
	$(BIN)/pytest -n 2 -m slow tests/analysis/protect

test-faults: $(VENV)/dev.stamp ## kill servers under load hundreds of times, on both databases
	PAIRHOUSE_KILLS=$(or $(KILLS),110) $(BIN)/pytest -s tests/faults

check: $(VENV)/dev.stamp ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Pairhouse needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version`. Try: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/play.stamp: $(VENV)/python.stamp requirements/play.txt pyproject.toml
	$(PIP) --require-hashes -r requirements/play.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/play.stamp requirements/dev.txt
	$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

bench-serve: $(VENV)/dev.stamp ## time the house: durable rounds, many players, both databases, a long history
	$(BIN)/python benchmarks/serve.py

bench-http: $(VENV)/dev.stamp ## time HTTP alone: the application, and the least that any application costs
	$(BIN)/python benchmarks/http_path.py

bench-exact: $(VENV)/dev.stamp ## time the exact answers
	$(BIN)/python benchmarks/exact.py

bench: $(VENV)/dev.stamp ## time simulated rounds against C and public packages; writes docs/performance.md
	$(BIN)/python benchmarks/simulate.py

agree-slow: $(VENV)/dev.stamp ## a thousand million rounds a game against the exact prices
	$(BIN)/pytest -m slow tests/analysis/test_agreement.py

test-api-long: $(VENV)/dev.stamp ## many generated requests over the API's document, on both databases
	PAIRHOUSE_API_EXAMPLES=200 $(BIN)/pytest -n 2 tests/server/test_schema.py

golden: $(VENV)/dev.stamp ## tell the golden playthroughs anew, after a change that is meant
	PAIRHOUSE_WRITE_GOLDEN=1 $(BIN)/pytest tests/test_golden.py tests/analysis/test_counts.py

vectors: $(VENV)/dev.stamp ## join the verifier's sources, and write the test vectors anew, after a change that is meant
	$(BIN)/python verifier/build.py
	cd tests && ../$(BIN)/python vectors.py

examples: $(VENV)/dev.stamp ## ask a running house for the examples of the OpenAPI document, after a change that is meant
	cd tests && ../$(BIN)/python tour.py

lock: $(VENV)/dev.stamp ## resolve the dependencies anew: names, versions and hashes, no addresses
	$(BIN)/python requirements/lock.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

include web/web.mk
