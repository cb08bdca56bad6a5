#!/bin/sh
# Builds the engine and installs the lab over it, editable, in .venv; silent unless it fails.
# With TRANSLATE=no in the environment it is built without translated code.
set -eu
cd "$(dirname "$0")/.."
if [ ! -w . ] && [ -e python/cyclescope/_engine.abi3.so ]; then
    echo "this checkout cannot be written: the engine is used as it was built" >&2
    exit 0
fi
case "${TRANSLATE:-yes}" in
    yes) ;;
    no) set -- "$@" --no-default-features ;;
    *) echo "TRANSLATE is ${TRANSLATE}, and must be yes or no" >&2; exit 1 ;;
esac
mkdir -p build
if ! VIRTUAL_ENV="$PWD/.venv" .venv/bin/maturin develop --release --locked "$@" >build/engine.log 2>&1; then
    cat build/engine.log >&2
    exit 1
fi
# Compiled once: an interpreter that keeps no bytecode would compile the lab at each start.
.venv/bin/python -m compileall -q python/cyclescope
