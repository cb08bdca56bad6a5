# How the firmware is built for the STM32F100RB. CHIP is the folder with the sources, that of this file; a board with
# the same chip includes it. board.toml has the settings and their defaults.
CHIP := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
include arch/armv7m/toolchain.mk
BOARD_FREERTOS_PORT := GCC/ARM_CM3

BOARD_INCLUDES += $(CHIP) $(CHIP)/timers/$(TIMER)
BOARD_SOURCES := $(CHIP)/board.c $(CHIP)/interrupts.c
BOARD_ARM_SOURCES := arch/armv7m/start.S
BOARD_LINK_FOLDERS += $(CHIP)

# Of 8 KB: the heap of FreeRTOS has what harness and cases leave. Options of the kernel take some.
HEAP_flash := $(if $(UNUSUAL),4800,5368)
HEAP_lab := 131072
SAMPLES_flash := 100
SAMPLES_lab := 1000
# Without a kernel there is space for more of them, and for a stack that holds the user's code.
SAMPLES_bare_flash := 256
SAMPLES_bare_lab := 4000
HANDLERS_lab := 2048
BARE_STACK_flash := 2048
BARE_STACK_lab := 8192
BOARD_BARE_LINK_FLAGS := -Wl,--defsym=svc_stack_bytes=$(BARE_STACK_$(CODE))
# Real-time figures: background threads take from the heap what cases do not; the buffer has two words for a sample.
ifeq ($(WORKLOAD),realtime)
BOARD_CODE_WITHOUT_BACKGROUND := flash
HEAP_flash := 4608
SAMPLES_flash := 64
SAMPLES_lab := 4096
endif
# Memory that the cases of the C library share (firmware/cases/arena.h), and the disk of those of files.
ARENA_flash := 2048
ARENA_lab := 65536
DISK_BLOCKS_lab := 40

# BRR of the wire's USART: 1 MBd at 24 MHz, 500 kBd at 8.
WIRE_DIVISOR := $(if $(filter 24,$(CLOCK_MHZ)),24,16)

# More settings that distinguish images of this board.
BOARD_CONFIGURATION := $(CLOCK_MHZ)mhz$(if $(FLASH_WAITS),-waits$(FLASH_WAITS))
BOARD_FACTS := clock_mhz=$(CLOCK_MHZ) $(if $(FLASH_WAITS),memory.flashwaits=$(FLASH_WAITS))
BOARD_LINK := -nostartfiles -Wl,--no-warn-rwx-segments

BOARD_FLAGS = -DCLOCK_MHZ=$(CLOCK_MHZ) -DWIRE_DIVISOR=$(WIRE_DIVISOR) $(if $(FLASH_WAITS),-DFLASH_WAITS=$(FLASH_WAITS)) \
	$(VECTORS_$(KERNEL)) -DHEAP_BYTES=$(HEAP_$(CODE)) -DSAMPLE_CAPACITY=$(or $(SAMPLES_$(KERNEL)_$(CODE)),$(SAMPLES_$(CODE)))
