# How a program of Linux on the AT91x40 is built: with the compiler and the library that `make linux` has made, as one
# position-independent file. It runs from RAM; a timer channel of its own there is not, for Linux takes all three.
LINUX ?= $(BUILD)/linux
CROSS := arm-none-eabi-
CROSS_PACKAGES := gcc-arm-none-eabi
BOARD_COMPILER := $(LINUX)/libc/cc
BOARD_ARCHITECTURE := arm
BOARD_SYSTEM := linux
$(call choice,CODE,ram)
$(call choice,ISA,arm)
$(call choice,TIMER,measurement)
ifeq ($(wildcard $(BOARD_COMPILER)),)
$(error Linux is not built: run make linux, then this again)
endif

BOARD_INCLUDES := $(CHIP)/linux $(CHIP) $(CHIP)/timers/$(TIMER)
BOARD_SOURCES := $(CHIP)/linux/board.c $(CHIP)/linux/atomics.c
BOARD_LINK_FOLDERS := $(CHIP)/linux
BOARD_PROCESSES := $(CHIP)/linux/first.c $(CHIP)/linux/child.c
BOARD_CASE_TIMERS :=

package_version = $(shell $(PYTHON) -c 'import json; print(json.load(open("$(LINUX)/versions.json"))["packages"]["$(1)"]["version"])')
LIBRARIES := musl
HEADER_musl := features.h
VERSION_musl := MUSL_VERSION
BOARD_CONFIGURATION := romwaits$(ROM_WAITS)-ramwaits$(RAM_WAITS)
BOARD_FACTS := memory.romwaits=$(ROM_WAITS) memory.ramwaits=$(RAM_WAITS)
BOARD_FLAGS := -D_GNU_SOURCE -DSAMPLE_CAPACITY=100 -DSTACK_BYTES_OF_OTHERS=16384 -DMOST_BYTES_OF_FILES=16384 \
	-DMOST_BYTES_MAPPED=65536 -DSYSTEM_WITHOUT_MMU \
	-DSYSTEM_VERSION='"Linux $(call package_version,linux-source-6.1)"' -DMUSL_VERSION=$(call package_version,musl (source))

# Of real-time figures: the tick of this board's other kernels, and stacks that its memory has space for. Between two
# requests the kernel idles for a tick, and so frees what ended threads leave.
TICK_HZ ?= 250
BOARD_REALTIME_TIMERS := measurement
BOARD_REALTIME_SOURCES := $(CHIP)/linux/realtime.c
BOARD_REALTIME_FLAGS := -DSYSTEM_TICK_HZ=$(TICK_HZ) -DSYSTEM_POLL_NS=4000000 -DPORT_STACK_BYTES=16384 -DPORT_RESERVE_BYTES=131072
