# switchq - build, test, install. 'make help' lists the targets.
# Respects CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX, DESTDIR; builds into $(BUILD), never into the tree.

comma := ,

VERSION := $(shell sed -n 's/.*SWQ_VERSION "\(.*\)".*/\1/p' include/switchq/version.h)
SOVERSION := 0

BUILD ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
# -g1: lines for profiles and traces; all of -g takes a third of the time of compiling
CFLAGS ?= -O3 -g1
PKGS := gsl libcjson popt sqlite3 yaml-0.1
PKG_CONFIG ?= pkg-config

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla \
            -Wcast-qual -Wwrite-strings
# asked once, and only when something is compiled: before that, 'make demo' has installed it
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS)))$(PKG_CFLAGS)
ALL_CPPFLAGS = -D_POSIX_C_SOURCE=200809L -Iinclude -I. $(PKG_CFLAGS) $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -fPIC -pthread $(WARNINGS) $(CFLAGS)
LIBS = -lgsl -lgslcblas -lgmp -lbz2 -lm
CLI_LIBS = $(shell $(PKG_CONFIG) --libs libcjson popt sqlite3 yaml-0.1)
TEST_LIBS = $(shell $(PKG_CONFIG) --libs criterion libcjson sqlite3 yaml-0.1) $(MPI_LIBS)

# make MPI=1: 'switchq sweep' runs on the ranks of an MPI job, with Debian's Open MPI; for another
# MPI, set MPI_CFLAGS and MPI_LIBS.
MPI ?= 0
ifeq ($(MPI),1)
MPI_CFLAGS ?= $(shell $(PKG_CONFIG) --cflags ompi-c 2>/dev/null || mpicc -showme:compile)
MPI_LIBS ?= $(shell $(PKG_CONFIG) --libs ompi-c 2>/dev/null || mpicc -showme:link)
CLI_LIBS += $(MPI_LIBS)
endif

# make PETSC=1: 'switchq solve --mpi' distributes a chain over the ranks of an MPI job, with
# Debian's petsc-dev and slepc-dev for real numbers; for others, set PETSC_CFLAGS and PETSC_LIBS.
PETSC ?= 0
ifeq ($(PETSC),1)
PETSC_CFLAGS ?= $(patsubst -I%,-isystem %,$(filter -I%,$(shell $(PKG_CONFIG) --cflags PETSc SLEPc ompi-c)))
PETSC_LIBS ?= $(shell $(PKG_CONFIG) --libs SLEPc PETSc ompi-c)
CLI_LIBS += $(PETSC_LIBS)
CLUSTER_FLAGS = -DSWQ_HAVE_PETSC $(PETSC_CFLAGS)
endif

# targets that first build what they run use all processors for that, unless -j was given
MANY = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

FOLDERS := base models solvers sim exact approx nets plugins validate chip cost worst bound compare
LIB_SRC := $(sort $(shell find $(FOLDERS) -name '*.c'))
# folders of the command line alone, which are not in the library
CLI_SRC := $(sort $(shell find cli study cluster -name '*.c'))
TEST_SRC := $(sort $(filter-out tests/fuzz/% tests/cli/hostile/%,$(shell find tests -name '*.c')))
FUZZ := $(filter-out fuzz,$(notdir $(basename $(sort $(wildcard tests/fuzz/*.c)))))
EXAMPLE_SRC := $(sort $(wildcard examples/*.c))
# tables that people can read, of which awk makes C
STATED := formulas approximations direct orderings
TABLE_OBJ := $(addprefix $(BUILD)/,$(STATED:%=validate/checks/%_rows.o) validate/targets.o validate/judged.o \
  validate/tables.o approx/links/errors.o approx/memory/errors.o sim/datacentre/size_rows.o)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(TABLE_OBJ)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
# parts of the report's page, which the program contains unchanged
PAGE_SRC := $(sort $(wildcard report/*.css report/*.js report/*.svg))
PAGE_OBJ := $(PAGE_SRC:%=$(BUILD)/%.o)
STUDY_OBJ := $(filter $(BUILD)/study/%,$(CLI_OBJ))
TEST_OBJ := $(TEST_SRC:%.c=$(BUILD)/%.o)
EXAMPLES := $(EXAMPLE_SRC:%.c=$(BUILD)/%)
PLUGINS := $(patsubst %.c,$(BUILD)/%.so,$(sort $(wildcard examples/plugins/*.c)))
# plug-ins that must be refused: one source, a case for each fault
HOSTILE := $(patsubst %,$(BUILD)/tests/cli/hostile/%.so,$(shell sed -n 's/^\#[a-z]*if !*FAULT_\([a-z_]*\).*/\1/p' tests/cli/hostile/hostile.c | sort -u))
ALL_C := $(shell find include $(FOLDERS) study cluster cli web tests bench examples -name '*.[ch]')

.PHONY: always all demo test check check-examples check-all analyze check-long bench install uninstall dist format lint folders names circles clang fuzz \
        fuzz-targets sanitize sanitize-long asan ubsan coverage clean help deps build-tests run-tests examples check-docs check-headers \
        check-python notebook-test notebooks wheel wheel-test deb deb-test container-test check-dist chip-witness faults mutants peers rare-coverage \
        browser-test site site-test wasm wasm-test check-scripts check-stable stable pages same-answers release bench-record

# those that take longest begin first, so that none is left to one processor at the end
LONGEST := $(filter $(BUILD)/sim/stages/fast/% $(BUILD)/sim/stages/plain.o $(BUILD)/sim/switches/input_queued/general.o,$(LIB_OBJ))

all: $(LONGEST) $(BUILD)/switchq $(BUILD)/libswitchq.a $(BUILD)/libswitchq.so $(BUILD)/libswitchq-ask.so $(BUILD)/switchq.pc ## build everything

demo: ## install what is missing, build, regenerate Table 4.1 and Figure 4.1 beside the print
	@scripts/install-deps.sh build
	@$(MAKE) --no-print-directory $(MANY) all
	$(BUILD)/switchq table 4.1 --plot $(BUILD)/table-4.1.svg
	$(BUILD)/switchq figure 4.1 --quick -o $(BUILD)
	@printf '%s\n' "Drawn: $(BUILD)/table-4.1.svg, $(BUILD)/figure-4.1.svg" "" "Next:" \
	  "  $(BUILD)/switchq solve --buffer damq --ports 4 --slots 4 --load 0.8     one switch, exactly" \
	  "  $(BUILD)/switchq sim --buffer damq --slots 4 --load 0.5 --flow block    64 nodes, simulated" \
	  "  $(BUILD)/switchq report -o report --only explorer                       a page that shows tree saturation" \
	  "  $(BUILD)/switchq help                                                   all commands and topics" \
	  "  docs/tutorial.md                                                      from here to a sizing decision"

test: ## install what is missing, build, run the tests
	@scripts/install-deps.sh build test
	@$(MAKE) --no-print-directory $(MANY) run-tests

# check-stable holds the answers that tests asked for against docs/schemas
run-tests: all build-tests
	@rm -rf $(BUILD)/answers && mkdir $(BUILD)/answers
	SWITCHQ=$(abspath $(BUILD)/switchq) SWITCHQ_SOURCE=$(CURDIR) SWITCHQ_ANSWERS=$(abspath $(BUILD)/answers) \
	  $(BUILD)/run-tests $(TESTFLAGS)

check: test ## test, examples, headers, the Python module, the chip in Verilog, commands of the docs
	$(MAKE) --no-print-directory $(MANY) --output-sync check-examples check-headers check-python check-scripts check-stable chip-witness check-docs

check-examples: examples
	@for e in $(EXAMPLES); do echo "== $$e"; $$e || exit 1; done

check-all: check analyze browser-test check-long sanitize-long check-dist notebook-test wheel-test site-test wasm-test mpi-test faults ## check, and all that is longer than CI allows (an hour; not deb-test and container-test, which need root, nor mutants)

browser-test: $(BUILD)/switchq ## the pages that the program writes in a Chromium without a screen; SHOTS=folder keeps pictures
	@scripts/install-deps.sh browser
	/usr/bin/python3 tests/browser/test_report.py $(BUILD)/switchq $(SHOTS)
	/usr/bin/python3 tests/browser/test_watch.py $(BUILD)/switchq $(SHOTS)
	/usr/bin/python3 tests/browser/test_sizes.py $(BUILD)/switchq $(SHOTS)

# The engines for a browser, built by emscripten: what networks of synchronous switches and small
# chains need; web/without.c replaces the rest. Of GSL only headers are needed.
WEB := $(BUILD)/web
WEB_SRC := $(sort $(filter-out base/blas.c base/library.c base/plot%.c base/outfile.c solvers/lu.c solvers/umfpack.c \
  solvers/sparse_gth.c solvers/suitesparse.c solvers/arnoldi.c exact/closed_class.c exact/dixon.c exact/fraction.c exact/gathering.c \
  exact/integers.c exact/numbers.c exact/orbits.c exact/rational% exact/target.c,$(wildcard base/*.c models/*.c models/arbiters/*.c models/architectures/*.c \
  models/buffers/*.c solvers/*.c exact/*.c sim/*.c sim/fabrics/parameters.c sim/tables/gate.c sim/traffic/trace.c sim/stages/*.c sim/sync/*.c sim/measure/*.c sim/patterns/*.c sim/topologies/*.c \
  sim/stages/fast/*.c web/*.c)))
WEB_OBJ := $(WEB_SRC:%.c=$(WEB)/obj/%.o)
WEB_SHOWN := _live_new,_live_free,_live_traffic,_live_run,_live_count,_live_look,_live_held,_live_marked,$(strip \
  )_live_slots,_live_sim,_live_solve,_live_message,_malloc,_free
# where Debian has acorn; only Debian's node looks there by itself
EMCC = NODE_PATH=/usr/share/nodejs emcc

wasm: ## the engines in a browser, a network simulated live; $(BUILD)/web/index.html (needs emscripten)
	@scripts/install-deps.sh build wasm
	@$(MAKE) --no-print-directory $(MANY) $(WEB)/index.html

$(WEB)/include/.made:
	@mkdir -p $(@D)
	web/headers.sh $(@D)
	@touch $@

$(WEB)/obj/%.o: %.c $(WEB)/include/.made
	@mkdir -p $(@D)
	$(EMCC) -D_POSIX_C_SOURCE=200809L -Iinclude -I. -isystem $(WEB)/include -std=c11 $(WARNINGS) -O2 -MMD -MP -c $< -o $@

# Emscripten had a stack of 5 MB, and has one of 64 KB since 3.1.27; a stage's turn alone takes up to 33 KB of it.
$(WEB)/switchq.js: $(WEB_OBJ)
	$(EMCC) -O2 $^ -sMODULARIZE -sEXPORT_NAME=Switchq -sSINGLE_FILE -sALLOW_MEMORY_GROWTH -sTOTAL_STACK=5MB -sENVIRONMENT=web,node \
	  -sEXPORTED_FUNCTIONS=$(WEB_SHOWN) -sEXPORTED_RUNTIME_METHODS=cwrap,UTF8ToString -o $@
-include $(WEB_OBJ:.o=.d)

# the page: the style and drawing of the report, whose explorer draws the same network
WEB_PAGE := web/index.html web/live.css web/live.js report/report.css report/report.js report/explorer.js
$(WEB)/index.html: $(WEB_PAGE) web/layouts.py $(WEB)/switchq.js $(BUILD)/switchq
	$(BUILD)/switchq report --only explorer --no-validate -o $(WEB)/report >/dev/null
	python3 -B web/layouts.py $(WEB)/report $(WEB)
	cp $(WEB_PAGE) $(WEB)/

# the live network is part of the site if it has been built, and is then kept up to date
site: $(BUILD)/switchq $(if $(wildcard $(WEB)/index.html),$(WEB)/index.html) ## the documentation as a site that needs no server; $(BUILD)/site/index.html
	@scripts/install-deps.sh site
	site/build.sh $(BUILD)/switchq $(BUILD)

site-test: site ## the site in a Chromium without a screen; SHOTS=folder keeps pictures
	@scripts/install-deps.sh browser
	/usr/bin/python3 tests/browser/test_site.py $(BUILD)/site $(SHOTS)

wasm-test: wasm ## the live network's numbers against the program's, and its page in a Chromium without a screen
	@scripts/install-deps.sh browser
	node web/test.js $(BUILD)/switchq $(WEB)/switchq.js
	/usr/bin/python3 tests/browser/test_live.py $(WEB) $(SHOTS)

check-docs: $(BUILD)/switchq ## the commands of README.md, the tutorial, worked examples, how-tos and pages of commands; links between pages
	@scripts/check-links.sh
	@scripts/sharing-tables.py --check
	@printf '%s\n' README.md docs/rare.md docs/tutorial.md docs/worked/*.md docs/howto/*.md docs/commands/*.md | \
	  xargs -P "$$(nproc)" -n 1 scripts/check-readme.sh $(BUILD)/switchq

check-headers: all ## the public headers as C and as C++, and what the shared libraries show
	SWITCHQ_BUILD=$(BUILD) CC='$(CC)' CXX='$(CXX)' python3 -B -m unittest discover -s tests/headers

check-scripts: $(BUILD)/switchq ## scripts that compare builds and make releases
	SWITCHQ=$(abspath $(BUILD)/switchq) python3 -B -m unittest discover -s tests/scripts

# what docs/stability.md promises
STABLE = SWITCHQ=$(abspath $(BUILD)/switchq) SWITCHQ_BUILD=$(BUILD) /usr/bin/python3 -B
check-stable: all $(PLUGINS) ## keys, columns, exit statuses and functions against their lists; answers of the tests against docs/schemas
	$(STABLE) -m unittest discover -s tests/stable

stable: all $(PLUGINS) ## write the lists in tests/stable/lists and docs/schemas anew: look at the difference, nothing may be gone
	$(STABLE) tests/stable/test_stable.py --write

pages: $(BUILD)/switchq ## write the tables of docs/defaults.md and docs/keys.md, and Python's functions of the commands, anew
	scripts/make-pages.py $(BUILD)/switchq
	scripts/make-python.py $(BUILD)/switchq

same-answers: $(BUILD)/switchq ## 3,000 random questions to OLD=other/switchq and to this build: are the answers the same to the digit?
	@test -n "$(OLD)" || { echo "same-answers: OLD=PATH names the other program" >&2; exit 2; }
	scripts/same-answers.py $(SAMEFLAGS) $(OLD) $(BUILD)/switchq

# without Python, says what was left out
check-python: all $(PLUGINS) ## the Python module and its examples
	@command -v python3 >/dev/null || { echo "no python3: its module is not tested"; exit 0; }; \
	set -e; export SWITCHQ=$(abspath $(BUILD)/switchq) SWITCHQ_LIBRARY=$(abspath $(BUILD)/libswitchq-ask.so) \
	  PYTHONPATH=$(CURDIR)/python PYTHONDONTWRITEBYTECODE=1; \
	python3 -m unittest discover -s tests/python; \
	for e in python/examples/*.py; do echo "== $$e"; python3 $$e; done

notebook-test: all $(PLUGINS) ## the Python module with pandas, matplotlib and Jupyter's kernel
	@scripts/install-deps.sh notebook
	for t in tests/python/test_*.py; do SWITCHQ=$(abspath $(BUILD)/switchq) SWITCHQ_JUPYTER=1 \
	  SWITCHQ_LIBRARY=$(abspath $(BUILD)/libswitchq-ask.so) PYTHONPATH=$(CURDIR)/python PYTHONDONTWRITEBYTECODE=1 \
	  /usr/bin/python3 $$t || exit 1; done

notebooks: all ## run the notebooks of python/examples, and keep what they show
	@scripts/install-deps.sh notebook
	SWITCHQ_LIBRARY=$(abspath $(BUILD)/libswitchq-ask.so) PYTHONPATH=$(CURDIR)/python PYTHONDONTWRITEBYTECODE=1 \
	  /usr/bin/python3 scripts/run-notebooks.py

chip-witness: $(BUILD)/switchq ## the buffer chip against a version in Verilog, cycle by cycle (needs iverilog)
	tests/chip/verilog/run.sh $(BUILD)/switchq $(CYCLES)

mpi-test: ## solve --mpi on 1, 2 and 4 ranks against solve, in a build of its own with PETSc (needs MPI; minutes)
	@scripts/install-deps.sh build petsc
	@$(MAKE) --no-print-directory $(MANY) $(BUILD)/petsc/switchq PETSC=1 BUILD=$(BUILD)/petsc
	SWITCHQ_PETSC=$(abspath $(BUILD)/petsc/switchq) python3 -B tests/mpi/test_cluster.py $(MPITESTFLAGS)

faults: all ## kill -9, full disks, several processes and MPI ranks against sweeps (a few minutes)
	@for t in tests/faults/*.py; do case $$t in */common.py) ;; \
	  *) SWITCHQ=$(abspath $(BUILD)/switchq) python3 -B $$t || exit 1 ;; esac; done

bench: all $(BUILD)/bench/bench ## CPU and wall time of typical runs as CSV; BASE=other/switchq adds ratios, CASES='async*' takes some
	$(BUILD)/bench/bench $(if $(CASES),'--cases=$(CASES)') $(BUILD)/switchq $(BASE)

bench-record: $(BUILD)/switchq ## count instructions of typical runs, append them to bench/history.csv, and draw the history (a minute)
	@scripts/install-deps.sh build bench
	CC='$(CC)' bench/record.py $(BUILD)/switchq --plot docs/images/bench-history.svg

rare-coverage: $(BUILD)/bench/rare_coverage ## intervals of rare discards against exact chains, 200 runs a point
	$(BUILD)/bench/rare_coverage $(COVERAGEFLAGS)

deps:
	@scripts/install-deps.sh build test lint coverage verilog

# folders of pages and templates, as C strings: NAME/*.txt become NAME.inc
TEXTS := $(BUILD)/cli/help/topics.inc $(BUILD)/cli/help/pages.inc $(BUILD)/cli/help/scripts.inc \
  $(BUILD)/cli/report/pages.inc
.SECONDEXPANSION:
$(TEXTS): $(BUILD)/%.inc: $$(sort $$(wildcard $$*/*.txt)) scripts/embed-text.sh
	@mkdir -p $(@D)
	scripts/embed-text.sh $(filter %.txt,$^) > $@
# the studies that are part of switchq compare
STUDIES := $(addprefix examples/studies/compare-,league.yaml buffers.yaml 1000-hosts.yaml)
$(BUILD)/cli/compare/studies.inc: $(STUDIES) scripts/embed-text.sh
	@mkdir -p $(@D)
	scripts/embed-text.sh $(STUDIES) > $@
$(BUILD)/cli/compare/read.o: $(BUILD)/cli/compare/studies.inc
# the meaning of each number, and of words of other tools
ROWS := $(BUILD)/cli/record/quantities.inc $(BUILD)/cli/options/field.inc
$(BUILD)/cli/record/quantities.inc: COLUMNS = -v columns=key,label,unit,meaning
$(BUILD)/cli/options/field.inc: COLUMNS = -v columns=word,list,row,why,place:CLI_FIELD -v empty='""' -v several=1
$(ROWS): $(BUILD)/%.inc: %.csv scripts/csv.awk scripts/rows.awk
	@mkdir -p $(@D)
	awk -f scripts/csv.awk -f scripts/rows.awk $(COLUMNS) $< > $@.part && mv $@.part $@
$(BUILD)/cli/record/quantities.o: $(BUILD)/cli/record/quantities.inc
$(BUILD)/cli/options/field.o: $(BUILD)/cli/options/field.inc
# figures of papers
$(BUILD)/cli/figures/papers.inc: papers/order.txt $$(sort $$(wildcard papers/*/*)) scripts/embed-papers.sh
	@mkdir -p $(@D)
	scripts/embed-papers.sh > $@.part && mv $@.part $@
$(BUILD)/cli/figures/papers.o: $(BUILD)/cli/figures/papers.inc
$(BUILD)/cli/help/topics.o: $(BUILD)/cli/help/topics.inc
$(BUILD)/cli/help/help.o: $(BUILD)/cli/help/pages.inc
$(BUILD)/cli/help/completion.o: $(BUILD)/cli/help/scripts.inc
$(BUILD)/cli/report/checks.o: $(BUILD)/cli/report/pages.inc
$(TEXTS:.inc=.o) $(ROWS:.inc=.o) $(BUILD)/cli/help/help.o $(BUILD)/cli/help/completion.o $(BUILD)/cli/report/checks.o \
  $(BUILD)/cli/compare/read.o $(BUILD)/cli/figures/papers.o: ALL_CPPFLAGS += -I$(BUILD)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# printed and measured numbers are kept as tables that people can read
$(BUILD)/validate/targets.c $(BUILD)/validate/judged.c: scripts/csv.awk
$(BUILD)/validate/judged.c: validate/asked.yaml
$(BUILD)/validate/targets.c $(BUILD)/validate/judged.c $(BUILD)/approx/links/errors.c \
$(BUILD)/approx/memory/errors.c: $(BUILD)/%.c: %.csv %.awk
	@mkdir -p $(@D)
	awk $(if $(filter validate/%,$*),-f scripts/csv.awk) -f $*.awk $(filter %.yaml,$^) $*.csv > $@.part && mv $@.part $@

# statements that families of checks judge
$(STATED:%=$(BUILD)/validate/checks/%_rows.c): $(BUILD)/validate/checks/%_rows.c: scripts/csv.awk validate/stated.awk validate/checks/%.yaml
	@mkdir -p $(@D)
	awk -f scripts/csv.awk -f validate/stated.awk -v name=$* validate/checks/$*.yaml > $@.part && mv $@.part $@

# the printed tables of papers
TABLES := papers/frazier1995/table-4.1.csv papers/frazier1995/paper.yaml \
  $(foreach t,4.2 4.3 4.4 5.1,papers/frazier1995/table-$t.yaml papers/frazier1995/table-$t.csv)
$(BUILD)/validate/tables.c: scripts/csv.awk validate/tables.awk $(TABLES)
	@mkdir -p $(@D)
	awk -f scripts/csv.awk -f validate/tables.awk $(TABLES) > $@.part && mv $@.part $@

# distributions of the sizes of flows
FLOW_SIZES := $(sort $(wildcard sim/datacentre/sizes/*.txt))
$(BUILD)/sim/datacentre/size_rows.c: sim/datacentre/sizes.awk $(FLOW_SIZES)
	@mkdir -p $(@D)
	awk -f sim/datacentre/sizes.awk $(FLOW_SIZES) > $@.part && mv $@.part $@

$(TABLE_OBJ): %.o: %.c
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# the shared library exports exactly what the public headers declare
$(LIB_OBJ): ALL_CFLAGS += -fvisibility=hidden

# Folders that read questions, print answers or compare them compute next to nothing, and approximations
# but those of pools gain at most a few percent from -O3. With this Makefile's own flags they are optimized less, in two thirds of the time.
ifeq ($(origin CFLAGS),file)
BRIEF := cli study validate compare cost models/formulas models/export models/import
$(filter $(BRIEF:%=$(BUILD)/%/%),$(LIB_OBJ) $(CLI_OBJ)): ALL_CFLAGS += -O1
$(filter-out $(BUILD)/approx/links/pool/% $(BUILD)/approx/memory/%,$(filter $(BUILD)/approx/%,$(LIB_OBJ))): ALL_CFLAGS += -O2
endif

# these files use instructions that not every processor has; whether it has them is tested at run time
ifeq ($(firstword $(subst -, ,$(shell $(CC) -dumpmachine))),x86_64)
ifeq ($(origin CFLAGS),file)
# here the portable form is for processors of before 2013
$(patsubst %.c,$(BUILD)/%.o,$(wildcard sim/stages/fast/*_portable.c)): ALL_CFLAGS += -O1 -DFEW_FORMS
endif
$(patsubst %.c,$(BUILD)/%.o,$(wildcard sim/stages/fast/*_avx2.c)): ALL_CFLAGS += -mavx2 -mbmi -mbmi2 -mpopcnt
$(BUILD)/sim/stages/fast/choose.o: ALL_CPPFLAGS += -DSWQ_HAVE_AVX2
endif

# libraries that are loaded when they are first needed (base/library.h), by the sonames that linking
# with them would record
soname = $(shell objdump -p "$$($(CC) -print-file-name=lib$(1).so)" | sed -n 's/ *SONAME *//p')
late = -DSWQ_LIBRARY='"$(call soname,$(1))"'
$(BUILD)/base/blas.o: ALL_CPPFLAGS += $(call late,blas)
$(BUILD)/solvers/lu.o: ALL_CPPFLAGS += $(call late,lapack)
$(BUILD)/solvers/umfpack.o: ALL_CPPFLAGS += $(call late,umfpack)
$(BUILD)/solvers/sparse_gth.o: ALL_CPPFLAGS += $(call late,cholmod)
$(BUILD)/solvers/arnoldi.o: ALL_CPPFLAGS += $(call late,arpack)
$(BUILD)/bound/program.o: ALL_CPPFLAGS += $(call late,glpk)

# one file depends on MPI, and is rebuilt when that choice changes
ifeq ($(MPI),1)
$(BUILD)/study/mpi.o: ALL_CPPFLAGS += -DSWQ_HAVE_MPI $(MPI_CFLAGS)
endif
$(BUILD)/study/mpi.o: $(BUILD)/study/mpi.choice
$(BUILD)/study/mpi.choice: always
	@mkdir -p $(@D)
	@echo $(MPI) | cmp -s - $@ || echo $(MPI) > $@

# one folder depends on PETSc, likewise
$(BUILD)/cluster/%.o: ALL_CPPFLAGS += $(CLUSTER_FLAGS)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard cluster/*.c)): $(BUILD)/cluster/petsc.choice
$(BUILD)/cluster/petsc.choice: always
	@mkdir -p $(@D)
	@echo $(PETSC) | cmp -s - $@ || echo $(PETSC) > $@

# A test takes longer to compile than to run. Long computations are in tests/ref, where -O3 would make
# gcc misjudge the bounds of small loops.
TEST_CFLAGS ?= -O0
$(BUILD)/tests/%.o: ALL_CFLAGS += $(TEST_CFLAGS)
$(BUILD)/tests/ref/%.o: ALL_CFLAGS += -O2

$(BUILD)/libswitchq.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libswitchq.so: $(LIB_OBJ)
	$(CC) -shared -Wl,-soname,libswitchq.so.$(SOVERSION) $(ALL_CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $(BUILD)/libswitchq.so.$(SOVERSION)
	@ln -sf libswitchq.so.$(SOVERSION) $@

# the command line for other languages: exports four functions, and nothing else
$(BUILD)/libswitchq-ask.so: $(CLI_OBJ) $(PAGE_OBJ) $(BUILD)/libswitchq.a cli/ask.map
	$(CC) -shared -Wl,-soname,libswitchq-ask.so.$(SOVERSION) -Wl,--version-script=cli/ask.map $(ALL_CFLAGS) $(LDFLAGS) \
	  $(filter-out %.map,$^) $(LIBS) $(CLI_LIBS) -o $(BUILD)/libswitchq-ask.so.$(SOVERSION)
	@ln -sf libswitchq-ask.so.$(SOVERSION) $@

$(BUILD)/report/%.o: report/%
	@mkdir -p $(@D)
	$(LD) -r -b binary -z noexecstack -o $@ $<

$(BUILD)/switchq: $(CLI_OBJ) $(PAGE_OBJ) $(BUILD)/libswitchq.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $^ $(LIBS) $(CLI_LIBS) -o $@

$(BUILD)/switchq.pc: Makefile include/switchq/version.h
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$${prefix}/include' '' \
	  'Name: switchq' 'Description: exact, analytic and simulated packet switches' \
	  'Version: $(VERSION)' 'Libs: -L$${libdir} -lswitchq' \
	  'Libs.private: $(LIBS)' 'Cflags: -I$${includedir}' > $@

build-tests: $(BUILD)/run-tests $(PLUGINS) $(HOSTILE)
# with the command line, whose options figures of papers/ are read by
$(BUILD)/run-tests: $(TEST_OBJ) $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ)) $(PAGE_OBJ) $(BUILD)/web/live.o \
  $(BUILD)/libswitchq.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $^ $(LIBS) $(CLI_LIBS) $(TEST_LIBS) -o $@

examples: $(EXAMPLES) $(PLUGINS)
$(BUILD)/examples/%: examples/%.c $(BUILD)/libswitchq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

# as docs/plugins.md says: linked to nothing
PLUGIN_HEADERS := $(wildcard include/switchq/*.h)
$(BUILD)/examples/plugins/%.so: examples/plugins/%.c $(PLUGIN_HEADERS)
	@mkdir -p $(@D)
	$(CC) -Iinclude $(ALL_CFLAGS) -fvisibility=hidden -shared $(LDFLAGS) $< -o $@
$(BUILD)/tests/cli/hostile/%.so: tests/cli/hostile/hostile.c $(PLUGIN_HEADERS)
	@mkdir -p $(@D)
	$(CC) -Iinclude $(ALL_CFLAGS) -fvisibility=hidden -shared -DFAULT_$* $(LDFLAGS) $< -o $@

$(BUILD)/bench/rare_coverage: bench/rare_coverage.c $(BUILD)/libswitchq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) $< $(BUILD)/libswitchq.a $(LIBS) -o $@

$(BUILD)/bench/bench: bench/bench.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -D_DEFAULT_SOURCE $(ALL_CFLAGS) $(LDFLAGS) $< -o $@

# manual pages and completion, written by the program
$(BUILD)/man/switchq.1: $(BUILD)/switchq scripts/write-pages.sh
	scripts/write-pages.sh $(BUILD)/switchq $(BUILD)

# Debian's Python looks for version-independent modules only in /usr/lib/python3
ifeq ($(PREFIX),/usr)
PYTHON_DIR ?= $(PREFIX)/lib/python3/dist-packages
else
PYTHON_DIR ?= $(PREFIX)/lib/$(shell python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])' 2>/dev/null || echo python3)/dist-packages
endif

PYTHON_INFO = $(PYTHON_DIR)/switchq-$(VERSION).dist-info

install: all $(BUILD)/man/switchq.1 ## install below $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig \
	  $(DESTDIR)$(PREFIX)/include/switchq $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/man/man7 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d \
	  $(DESTDIR)$(PYTHON_DIR)/switchq
	install $(BUILD)/switchq $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/libswitchq.a $(DESTDIR)$(LIBDIR)/
	install $(BUILD)/libswitchq.so.$(SOVERSION) $(BUILD)/libswitchq-ask.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/
	ln -sf libswitchq.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libswitchq.so
	ln -sf libswitchq-ask.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libswitchq-ask.so
	sed 's|^prefix=.*|prefix=$(PREFIX)|; s|^libdir=.*|libdir=$(LIBDIR)|' $(BUILD)/switchq.pc > $(DESTDIR)$(LIBDIR)/pkgconfig/switchq.pc
	install -m 644 include/switchq/*.h $(DESTDIR)$(PREFIX)/include/switchq/
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 $(BUILD)/man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -m 644 $(BUILD)/completion/switchq $(DESTDIR)$(PREFIX)/share/bash-completion/completions/
	install -m 644 $(BUILD)/completion/_switchq $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 $(BUILD)/completion/switchq.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/
	install -m 644 python/switchq/*.py python/switchq/py.typed $(DESTDIR)$(PYTHON_DIR)/switchq/
	@printf '%s\n' '# where it was installed' 'PATH = "$(LIBDIR)"' > $(DESTDIR)$(PYTHON_DIR)/switchq/_installed.py
	install -d $(DESTDIR)$(PYTHON_INFO)
	@printf '%s\n' 'Metadata-Version: 2.1' 'Name: switchq' 'Version: $(VERSION)' 'License: GPL-3.0-or-later' \
	  "$$(sed -n 's/^description = "\(.*\)"/Summary: \1/p' packaging/pyproject.toml)" > $(DESTDIR)$(PYTHON_INFO)/METADATA
	@echo make > $(DESTDIR)$(PYTHON_INFO)/INSTALLER

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/switchq $(DESTDIR)$(LIBDIR)/libswitchq.a \
	  $(DESTDIR)$(LIBDIR)/libswitchq.so $(DESTDIR)$(LIBDIR)/libswitchq.so.$(SOVERSION) \
	  $(DESTDIR)$(LIBDIR)/libswitchq-ask.so $(DESTDIR)$(LIBDIR)/libswitchq-ask.so.$(SOVERSION) \
	  $(DESTDIR)$(LIBDIR)/pkgconfig/switchq.pc $(DESTDIR)$(PREFIX)/share/man/man1/switchq.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man1/switchq-*.1 $(DESTDIR)$(PREFIX)/share/man/man7/switchq-*.7 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/switchq \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_switchq \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/switchq.fish
	rm -rf $(DESTDIR)$(PREFIX)/include/switchq $(DESTDIR)$(PYTHON_DIR)/switchq $(DESTDIR)$(PYTHON_INFO)

DIST := switchq-$(VERSION)
dist: ## a source archive of what is committed; without git, of what is there
	@mkdir -p $(BUILD)
	if test -e .git; then git archive --prefix=$(DIST)/ -o $(BUILD)/$(DIST).tar.gz HEAD; else \
	  tar --exclude='./$(BUILD)' --exclude=__pycache__ --transform='s,^\.,$(DIST),' -czf $(BUILD)/$(DIST).tar.gz .; fi

# VERSION must come from the command line; the tests run before anything is written
RELEASE_CHECK ?= make check
release: ## a release, VERSION=0.2.0: test, set the version, write the changes, commit, tag; DRY=1 shows what would change
	@test '$(origin VERSION)' = 'command line' || { echo "release: VERSION=0.2.0, for example, says which" >&2; exit 2; }
	@scripts/release.py $(VERSION) $(if $(DRY),--dry-run) --check '$(RELEASE_CHECK)'

check-dist: dist ## unpack the archive, build it and run its tests where there is no git
	rm -rf $(BUILD)/dist && mkdir -p $(BUILD)/dist/bin
	tar -xzf $(BUILD)/$(DIST).tar.gz -C $(BUILD)/dist
	@printf '%s\n' '#!/bin/sh' 'echo "git is not there" >&2; exit 127' > $(BUILD)/dist/bin/git && chmod +x $(BUILD)/dist/bin/git
	PATH=$(abspath $(BUILD)/dist/bin):$$PATH $(MAKE) --no-print-directory $(MANY) -C $(BUILD)/dist/$(DIST) BUILD=build run-tests
	PATH=$(abspath $(BUILD)/dist/bin):$$PATH $(MAKE) --no-print-directory -C $(BUILD)/dist/$(DIST) BUILD=build check-docs dist
	rm -rf $(BUILD)/dist

# does not run the tests, which are those of `make test`
deb: ## Debian packages, in $(BUILD)/deb; lintian's errors end it
	@scripts/install-deps.sh build packages
	packaging/build-deb.sh $(BUILD)/deb

# needs root for the minimal systems, which come from MIRROR=URL if that is given
deb-test: ## build, install, try and remove the packages in bare Debian systems (SUITES='bookworm trixie'; long)
	@scripts/install-deps.sh packages
	packaging/test-deb.sh $(BUILD)/deb-test $(SUITES)

container-test: ## build the container's image on bare Debian, without registry or daemon, and ask the program in it (as root; long)
	@scripts/install-deps.sh container
	packaging/test-container.sh $(BUILD)/container-test

WHEEL := $(BUILD)/wheel
LATE := blas lapack umfpack cholmod arpack glpk
wheel: $(BUILD)/libswitchq-ask.so ## a Python wheel that carries the library and what it needs, in $(BUILD)
	@scripts/install-deps.sh build packages
	@rm -rf $(WHEEL) $(BUILD)/switchq-*.whl && mkdir -p $(WHEEL)/switchq
	cp python/switchq/*.py python/switchq/py.typed $(BUILD)/libswitchq-ask.so.$(SOVERSION) $(WHEEL)/switchq/
	cp packaging/pyproject.toml packaging/setup.py LICENSE $(WHEEL)/ && cp docs/python.md $(WHEEL)/README.md
	@echo $(VERSION) > $(WHEEL)/VERSION
	packaging/gather-libraries.sh $(BUILD)/libswitchq-ask.so.$(SOVERSION) $(WHEEL)/switchq/libraries $(foreach l,$(LATE),$(call soname,$(l)))
	strip --strip-unneeded $(WHEEL)/switchq/libswitchq-ask.so.$(SOVERSION)
	patchelf --set-rpath '$$ORIGIN/libraries' $(WHEEL)/switchq/libswitchq-ask.so.$(SOVERSION)
	cd $(WHEEL) && /usr/bin/python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-index -w $(abspath $(BUILD)) .
	@ls $(BUILD)/switchq-*.whl

wheel-test: wheel ## install the wheel in a new environment, ask it, and see that all libraries are its own
	packaging/test-wheel.sh $(abspath $(BUILD)) $(abspath $(BUILD))/wheel-test

format: ## clang-format all C in place
	clang-format -i $(ALL_C)

folders: ## check which folder includes which
	scripts/check-folders.sh

names: ## check that no two types share a name
	@scripts/check-names.py $(ALL_C)

circles: $(LIB_OBJ) $(CLI_OBJ) $(WEB_SRC:%.c=$(BUILD)/%.o) ## check that the files of a folder do not call each other in a circle, nor up the floors of sim; the browser's build lacks no file
	scripts/check-circles.sh $(BUILD) $(FOLDERS) study cluster cli
	scripts/check-floors.sh $(BUILD)
	scripts/check-web.sh $(WEB_SRC:%.c=$(BUILD)/%.o)

lint: folders names circles $(TEXTS) $(ROWS) $(BUILD)/cli/compare/studies.inc $(BUILD)/cli/figures/papers.inc ## format check, folders, names, circles, clang-tidy, cppcheck
	@scripts/install-deps.sh build test lint
	clang-format --dry-run --Werror $(ALL_C)
	cppcheck -j "$$(nproc)" --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	  --suppress=missingIncludeSystem --inline-suppr -Iinclude -I. $(FOLDERS) study cluster cli web bench examples
	$(call tidied,-clang-analyzer-*)

# Clang's static analyzer takes five times as long as all other checks of clang-tidy.
analyze: $(TEXTS) $(ROWS) $(BUILD)/cli/compare/studies.inc $(BUILD)/cli/figures/papers.inc ## every path through the code, by clang's static analyzer (minutes)
	@scripts/install-deps.sh build test lint
	$(call tidied,-*$(comma)clang-analyzer-*$(comma)-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling$(comma)-clang-analyzer-optin.performance.Padding)

# One process per file: with several, clang 14 carries state over and reports initialized va_lists as
# uninitialized. Files that need PETSc are checked if it is installed.
# $(1): added to the checks of .clang-tidy
define tidied
printf '%s\n' $(LIB_SRC) $(CLI_SRC) $(wildcard web/*.c) | xargs -P "$$(nproc)" -n 1 sh -c \
  'exec clang-tidy --quiet "--checks=$(1)" "$$@" -- $(ALL_CPPFLAGS) -I$(BUILD) -std=c11' sh
@if $(PKG_CONFIG) --exists PETSc SLEPc ompi-c 2>/dev/null; then printf '%s\n' $(filter cluster/%,$(CLI_SRC)) | xargs -P "$$(nproc)" -n 1 sh -c \
  'exec clang-tidy --quiet "--checks=$(1)" "$$@" -- $(ALL_CPPFLAGS) -DSWQ_HAVE_PETSC $(patsubst -I%,-isystem %,$(filter -I%,$(shell $(PKG_CONFIG) --cflags PETSc SLEPc ompi-c 2>/dev/null))) -std=c11' sh; fi
endef

clang: $(BUILD)/switchq ## everything built by clang without a warning; are its numbers gcc's?
	@scripts/install-deps.sh build test clang
	$(MAKE) --no-print-directory $(MANY) all build-tests examples CC=clang BUILD=$(BUILD)/clang CFLAGS='-O1 -g1 -Werror'
	scripts/same-answers.py --questions 300 $(BUILD)/switchq $(BUILD)/clang/switchq

# What `make sanitize` and `make fuzz` compile with. The compiler is clang, whose sanitized code is
# faster; it reports NULL + 0 as an overflow, which is switched off.
# $(1): sanitizers
sanitizing = CC=clang CFLAGS='-O1 -g1 -Werror -fno-omit-frame-pointer -fsanitize=$(1) -fno-sanitize=pointer-overflow -fno-sanitize-recover=all'
SANITIZERS := address$(comma)undefined

# all parsers, in parallel; CI runs each for 20 seconds
FUZZ_SECONDS ?= 60
fuzz: ## libFuzzer at each parser for FUZZ_SECONDS=60
	@scripts/install-deps.sh build clang
	@$(MAKE) --no-print-directory $(MANY) $(BUILD)/sanitize/libswitchq.a BUILD=$(BUILD)/sanitize $(call sanitizing,$(SANITIZERS))
	@$(MAKE) --no-print-directory $(MANY) fuzz-targets BUILD=$(BUILD)/fuzz REST=$(BUILD)/sanitize/libswitchq.a \
	  $(call sanitizing,$(SANITIZERS)$(comma)fuzzer-no-link)
	printf '%s\n' $(FUZZ:%=$(BUILD)/fuzz/fuzz-%) | xargs -P "$$(nproc)" -I{} tests/fuzz/run.sh {} $(FUZZ_SECONDS)

# The fuzzer is guided by the paths through what reads: the command line, and these. The rest is
# taken from $(REST), as `make sanitize` compiles it.
READING := base exact models/formulas models/import sim/traffic/netrace.o sim/traffic/trace_files.o sim/fabrics sim/datacentre
READING_OBJ := $(filter $(READING:%.o=$(BUILD)/%.o) $(READING:%=$(BUILD)/%/%),$(LIB_OBJ)) $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ))
fuzz-targets: $(FUZZ:%=$(BUILD)/fuzz-%)
$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/fuzz.o $(READING_OBJ) $(PAGE_OBJ) $(REST)
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) $^ $(LIBS) $(CLI_LIBS) -o $@

# Criterion exits 0 on a leak inside a test unless the sanitizer aborts. The tests' own code is not
# checked for undefined behaviour.
# $(1): folder, $(2): sanitizers, $(3): which tests
define sanitized
@scripts/install-deps.sh build test clang
ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
  LSAN_OPTIONS=suppressions=$(CURDIR)/tests/support/lsan.supp:print_suppressions=0 \
  $(MAKE) --no-print-directory $(MANY) run-tests examples BUILD=$(BUILD)/$(1) TEST_CFLAGS='-O0 -fno-sanitize=undefined' TESTFLAGS="$(3)" \
  $(call sanitizing,$(2))
endef

# Under sanitizers these suites take as long as all others together: those that try every option of every
# command start the program a thousand times, and others run for long what shorter ones reach, too.
LONG_SUITES = cli_every_option|cli_defaults|approx_pool|arrange|canon|cli_config|cli_figure|cli_help|cli_table_command|cli_table_sim|netchain|pieces
sanitize: $(BUILD)/switchq ## tests by clang with AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer; are its numbers gcc's?
	$(call sanitized,sanitize,$(SANITIZERS),--filter '!($(LONG_SUITES))/*')
	scripts/same-answers.py --questions 60 $(BUILD)/switchq $(BUILD)/sanitize/switchq

sanitize-long: ## the suites that take longest under the same sanitizers (minutes)
	$(call sanitized,sanitize,$(SANITIZERS),--filter '@($(LONG_SUITES))/*')

asan: ## the tests under AddressSanitizer and LeakSanitizer alone
	$(call sanitized,asan,address)

ubsan: ## the tests under UndefinedBehaviorSanitizer alone
	$(call sanitized,ubsan,undefined)

coverage: ## line coverage of the tests
	@scripts/install-deps.sh build test coverage
	@find $(BUILD)/coverage -name '*.gcda' -delete 2>/dev/null || true
	$(MAKE) --no-print-directory $(MANY) run-tests BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage'
	gcovr --root . --object-directory $(BUILD)/coverage --exclude tests --exclude cli $(BUILD)/coverage
	@echo "with cli/:"
	@gcovr --root . --object-directory $(BUILD)/coverage --exclude tests $(BUILD)/coverage | tail -3

mutants: ## break each rule in turn: does validate notice? (an hour; PATTERN='pool-*' for some)
	tests/mutants/run.py $(BUILD) $(PATTERN)

check-long: all ## 10^7 cycles of a saturated torus whose datelines keep its worms from deadlock (minutes)
	$(BUILD)/switchq sim --engine async --topology torus --dims 8x8 --architecture wormhole --lanes 2 --lane-flits 4 \
		--length 20 --max-packet 20 --load 1 --warmup 1000 --cycles 10000000 --json > $(BUILD)/check-long.json
	@grep -q '"stopped_by":	"cycles"' $(BUILD)/check-long.json && \
		grep -q '"conserved":	true' $(BUILD)/check-long.json && echo "no deadlock in 10^7 cycles"

peers: all ## the same networks in BookSim 2: BOOKSIM=its program (docs/peers.md; an hour)
	@test -n "$(BOOKSIM)" || { echo "peers: BOOKSIM=PATH says where BookSim's program is" >&2; exit 2; }
	tests/peers/against_booksim.py $(BOOKSIM) $(BUILD)/switchq

clean: ## remove $(BUILD)
	rm -rf $(BUILD)

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /:/' | awk -F: '{printf "  %-14s %s\n", $$1, $$2}'

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(patsubst %.c,$(BUILD)/%.d,$(wildcard web/*.c))
