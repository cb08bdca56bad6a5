#!/bin/sh
# Builds the players into the folder that is given, build/players/ of the checkout without one.
set -e
here=$(dirname "$0")
out=${1:-$here/../../build/players}
mkdir -p "$out"
player() { # name, address, options
	name=$1 address=$2
	shift 2
	arm-none-eabi-gcc -mcpu=arm7tdmi -O2 -ffreestanding -nostdlib -Wl,--build-id=none -Wl,-n \
		-Wl,-Ttext="$address" -Wl,--defsym=stack_top=$((address + 0x1000)) \
		"$@" -o "$out/$name.elf" "$here/player.c"
}
player serves 0x300400 -DAT91 -DSERVES
player answers 0x300400 -DAT91
player lpc2148 0x40000000
