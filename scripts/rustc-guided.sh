#!/bin/sh
# Runs the compiler, so that it counts branches: for `make fuzz`.
exec "$@" -C instrument-coverage --cfg guided
