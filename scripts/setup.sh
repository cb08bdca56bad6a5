#!/bin/sh
# Installs what Cyclescope needs on Debian 12 and says so first. Safe to run again: it does only
# what is missing.   usage: scripts/setup.sh [test|bench|realtime]   (adds what only the tests, the
# comparison with other tools on this machine, or real-time figures of this machine need)
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

rust_minor_needed=85
command -v cargo >/dev/null 2>&1 || fail "Rust is missing and cannot be installed from here (Debian's is too old): install 1.$rust_minor_needed or newer with rustup (https://rustup.rs), then run this again."
rust_version=$(rustc --version | cut -d' ' -f2)
rust_minor=$(printf '%s' "$rust_version" | cut -d. -f2)
[ "$rust_minor" -ge "$rust_minor_needed" ] || fail "Rust $rust_version is too old: run 'rustup update stable' to get 1.$rust_minor_needed or newer, then run this again."
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || fail "Python 3.11 or newer is missing: install Debian's python3, or set PYTHON to one, then run this again."
command -v cc >/dev/null 2>&1 || fail "A C compiler for this machine is missing: install Debian's gcc, then run this again."

# Debian packages: name, and the file or command that shows it is there.
missing=
want() { [ -e "$2" ] || command -v "$2" >/dev/null 2>&1 || missing="$missing $1"; }
want gcc-arm-none-eabi arm-none-eabi-gcc
# Programs are counted with the target's 32-bit types; elsewhere with this machine's own.
if [ "$(uname -m)" = x86_64 ]; then
    want gcc-multilib /usr/share/doc/gcc-multilib
    want libc6-dev-i386 /usr/lib32/crt1.o
fi
want graphviz dot
want libnewlib-arm-none-eabi /usr/lib/arm-none-eabi/newlib/libc_nano.a
want gcc-avr avr-gcc
want avr-libc /usr/lib/avr/include/avr/io.h
want picolibc-arm-none-eabi /usr/lib/picolibc/arm-none-eabi/picolibc.specs
"$python" -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
if [ "${1:-}" = test ]; then
    want clang-format clang-format
    want chromium chromium
    want gdb-multiarch gdb-multiarch
    want gdb-avr avr-gdb
    want qemu-system-arm qemu-system-arm
    want simavr simavr
    want libsimavr-dev /usr/include/simavr/sim_avr.h
    want libelf-dev /usr/include/libelf.h
    want qemu-system-arm qemu-system-arm
    want cpio cpio
    want openssl openssl
    want device-tree-compiler dtc
    want patch patch
    want fonts-dejavu-core /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
fi
if [ "${1:-}" = bench ]; then
    want g++ g++
    want libbenchmark-dev /usr/include/benchmark/benchmark.h
fi

if [ "${1:-}" = realtime ]; then
    want rt-tests cyclictest
fi

if [ -n "$missing" ]; then
    say "will install from Debian:$missing"
    command -v apt-get >/dev/null 2>&1 || fail "This is not a Debian system (no apt-get): install$missing by hand, then run this again."
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "Root is needed to install$missing and there is no sudo: have an administrator install them, then run this again."
        as_root=sudo
    fi
    $as_root apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

if [ "${1:-}" = test ]; then
    rustup component list --installed 2>/dev/null | grep -q clippy || cargo clippy --version >/dev/null 2>&1 || rustup component add clippy rustfmt
fi

# By content: a copy of a finished build has other dates, and needs no network.
if ! cat pyproject.toml constraints.txt | cmp -s - .venv/ready; then
    say "will make a virtual environment in .venv with the pinned packages of pyproject.toml"
    [ -x .venv/bin/python ] || "$python" -m venv .venv
    # As an address: pip takes a space in it for the end of a file's name.
    constraints=$(.venv/bin/python -c 'import pathlib; print(pathlib.Path("constraints.txt").resolve().as_uri())')
    export PIP_CONSTRAINT="$constraints" PIP_QUIET=1 PIP_DISABLE_PIP_VERSION_CHECK=1
    .venv/bin/pip install maturin || fail "Packages could not be fetched: the first setup needs the network (or PIP_INDEX_URL, PIP_FIND_LINKS); then run this again."
    say "will build the engine (optimised; about two minutes the first time)"
    scripts/build-engine.sh --extras test
    cat pyproject.toml constraints.txt > .venv/ready
fi
say "ready"
