# How the firmware is built for the AT91x40. CHIP is the folder with the sources, that of this file; a board with
# the same chip includes it. board.toml has the settings and their defaults.
CHIP := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
ifeq ($(KERNEL),posix)
include $(CHIP)/linux/system.mk
else
include arch/arm/toolchain.mk
BOARD_FREERTOS_PORT := GCC/ARM7_AT91FR40008

BOARD_INCLUDES := $(CHIP) $(CHIP)/timers/$(TIMER)
BOARD_SOURCES := $(CHIP)/board.c
BOARD_ARM_SOURCES := $(CHIP)/start.S
BOARD_LINK_FOLDERS += $(CHIP)

# From ROM with its wait states a tick and what it wakes take hundreds of microseconds.
TICK_HZ ?= 250
HEAP_rom := 131072
HEAP_ram := 1048576
HEAP_internal := 65536
SAMPLES_rom := 100
SAMPLES_ram := 100
SAMPLES_internal := 100
# Without a kernel there is space for more of them, and for a stack that holds the user's code.
SAMPLES_bare_rom := 2000
SAMPLES_bare_ram := 20000
SAMPLES_bare_internal := 1000
# Of real-time figures: the buffer has two words for a sample.
ifeq ($(WORKLOAD),realtime)
SAMPLES_rom := 512
SAMPLES_ram := 4096
SAMPLES_internal := 512
endif
# Memory that the cases of the C library share (firmware/cases/arena.h).
ARENA_rom := 20480
ARENA_ram := 65536
ARENA_internal := 20480
# The disk, in blocks of 256 bytes (firmware/files/files.h).
DISK_BLOCKS_rom := 40
DISK_BLOCKS_ram := 128
DISK_BLOCKS_internal := 40
# Memory of a user's program in KiB (firmware/application/), where the RAM on the chip has its data.
APPLICATION_rom_disk_kib := 96
APPLICATION_rom_heap_kib := 96
APPLICATION_rom_stack_kib := 16
APPLICATION_rom_kernel_kib := 40
APPLICATION_internal_disk_kib := 64
APPLICATION_internal_heap_kib := 64
APPLICATION_internal_stack_kib := 16
APPLICATION_internal_kernel_kib := 40

# Timers that take the channel of alarm and line, for images with cases alone.
BOARD_CASE_TIMERS := tc

# More settings that distinguish images of this board.
BOARD_CONFIGURATION := romwaits$(ROM_WAITS)-ramwaits$(RAM_WAITS)
BOARD_FACTS := memory.romwaits=$(ROM_WAITS) memory.ramwaits=$(RAM_WAITS)
# Not in pages: what lies at address 0 would begin with the headers of the file.
BOARD_LINK := -nostartfiles -Wl,--nmagic -Wl,--no-warn-rwx-segments

BOARD_FLAGS = -DROM_WAITS=$(ROM_WAITS) -DRAM_WAITS=$(RAM_WAITS) -DHEAP_BYTES=$(HEAP_$(CODE)) \
	-DSAMPLE_CAPACITY=$(or $(SAMPLES_$(KERNEL)_$(CODE)),$(SAMPLES_$(CODE)))
endif
