#!/bin/sh
# Runs the tests of the native core under sanitizers. Usage: native/sanitize.sh [address,undefined|thread]...
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- address,undefined thread
for sanitizer in "$@"; do
    build="$here/build/sanitize-$(echo "$sanitizer" | tr , -)"
    cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g" \
        -DSTARCCG_PYTHON=OFF -DSTARCCG_TESTS=ON -DSTARCCG_SANITIZE="$sanitizer" >/dev/null
    cmake --build "$build" --parallel 2
    UBSAN_OPTIONS=print_stacktrace=1 "$build/starccg_tests"
done
