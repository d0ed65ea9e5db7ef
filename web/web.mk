# The pages of the tables: built into the package, and checked with everything else.
PAGES := src/pairhouse/server/static/index.html
WEB_SOURCES := $(shell find web/src web/public web/*.* -type f -not -name 'schema.d.ts' -not -name 'openapi.*') \
	$(wildcard verifier/verifier.js)

.PHONY: web web-check web-proof

web: $(PAGES) ## build the pages of the tables

$(PAGES): $(VENV)/play.stamp $(WEB_SOURCES) hatch_build.py
	@$(BIN)/python hatch_build.py
	@touch $@

# A machine that cannot reach npm's packages still checks everything else; it is told, and the tests of the pages skip.
web-check: $(VENV)/dev.stamp ## types, style and unit tests of the pages
	@if $(BIN)/python hatch_build.py fetch; then $(MAKE) --no-print-directory web-proof; fi

web-proof: $(PAGES)
	$(BIN)/python web/openapi.py > web/openapi.json
	$(BIN)/python hatch_build.py run proof
