#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-wheel.sh BUILD FOLDER: install the wheel of BUILD in a new environment in FOLDER, without a network; see its
# tags; ask questions that load every library, and see that none came from the system but Python's and C's.
set -eu
build=$1 folder=$2

rm -rf "$folder"
/usr/bin/python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --no-index "$build"/switchq-*.whl
cd /
env -u SWITCHQ_LIBRARY -u PYTHONPATH "$folder/bin/python" - <<'E1'
import importlib.metadata
import pathlib
import sysconfig

import switchq

wheel = importlib.metadata.distribution("switchq")
assert wheel.version == switchq.__version__, wheel.version
assert "Root-Is-Purelib: false" in wheel.read_text("WHEEL"), wheel.read_text("WHEEL")
folder = pathlib.Path(switchq.__file__).parent
assert folder.parent == pathlib.Path(sysconfig.get_path("platlib")), folder
assert (folder / "py.typed").exists()
E1
env -u SWITCHQ_LIBRARY -u PYTHONPATH "$folder/bin/python" - <<'E2'
import sys

import switchq

for solver in switchq.listing("solvers"):
    loss = switchq.solve(buffer="fifo", ports=2, slots=2, load=0.9, solver=solver["name"]).discard_probability
    assert loss.lower <= 0.1783999841797967 <= loss.upper, (solver, loss)
loaded = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
ours = {path for path in loaded if path.startswith(sys.prefix)}
assert len(ours) > 15, ours
foreign = {path.rsplit("/", 1)[1].split(".so")[0] for path in loaded - ours if "lib-dynload" not in path}
strange = foreign - {"ld-linux-x86-64", "libc", "libm", "libdl", "libpthread", "librt",
                     "libexpat", "libffi", "libz", "libssl", "libcrypto", "libpython3"}
assert not strange, f"from the system: {strange}"
print(f"switchq {switchq.__version__}: {len(ours)} libraries, all of the wheel")
E2
rm -rf "$folder"
