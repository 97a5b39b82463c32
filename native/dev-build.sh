#!/bin/sh
# Builds the native module into src/starccg, so that PYTHONPATH=src runs the working tree.
# Usage: native/dev-build.sh [python]   (a Python with nanobind; cmake and ninja are looked for beside it first)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-python3}
PATH="$(dirname "$(command -v "$python")"):$PATH"
export PATH
cmake -S "$here" -B "$here/build/dev" -G Ninja -DPython_EXECUTABLE="$(command -v "$python")" >/dev/null
cmake --build "$here/build/dev"
# Renamed into place, never written over: a process that has the old module loaded goes on undisturbed.
for module in "$here"/build/dev/_core.*so; do
    cp "$module" "$module.new"
    mv -f "$module.new" "$here/src/starccg/${module##*/}"
done
