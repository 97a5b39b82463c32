#!/bin/sh
# Fuzzes the native core with libFuzzer under the address and undefined-behaviour sanitizers. Usage: native/fuzz.sh SECONDS
# Starts from native/fuzz/corpus; what it finds to be new is kept in build/fuzz-native, a defect in native/fuzz/corpus.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
build="$here/build/fuzz-native"
clang=${CLANGXX:-clang++}
command -v "$clang" >/dev/null || { echo "error: fuzzing needs clang: install clang and its runtime, or name it: CLANGXX=..." >&2; exit 1; }
cmake -S "$here" -B "$build" -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g" -DSTARCCG_PYTHON=OFF -DSTARCCG_FUZZ=ON \
    -DSTARCCG_SANITIZE=address,undefined,fuzzer-no-link >/dev/null
cmake --build "$build" --parallel 2
mkdir -p "$build/found"
"$build/starccg_fuzz" -max_total_time="${1:-60}" -timeout=600 -report_slow_units=600 -rss_limit_mb=1024 -max_len=2048 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$here/native/fuzz/corpus/found-" "$build/found" "$here/native/fuzz/corpus"
