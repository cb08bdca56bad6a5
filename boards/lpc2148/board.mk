# How the firmware is built for the LPC2148. CHIP is the folder with the sources; a board with the same chip
# includes this file.
CHIP := $(BOARDS)/lpc2148
CODES += flash sram
TIMERS := measurement timer1
CROSS := arm-none-eabi-
CROSS_PACKAGES := gcc-arm-none-eabi libnewlib-arm-none-eabi
BOARD_FREERTOS_PORT := ARM7_LPC2000

BOARD_INCLUDES := $(CHIP) $(CHIP)/timers/$(TIMER)
BOARD_SOURCES := $(CHIP)/board.c
BOARD_ARM_SOURCES := $(CHIP)/start.S
BOARD_LINK_FOLDERS += $(CHIP)
CORE_FLAGS := -mcpu=arm7tdmi -mthumb-interwork
ISA_FLAGS_arm := -marm
ISA_FLAGS_thumb := -mthumb

# Heap: what the placement's memory leaves.
HEAP_flash_arm := 29696
HEAP_flash_thumb := 29696
HEAP_sram_arm := $(if $(filter 1,$(ASSERT)),9216,11776)
HEAP_sram_thumb := $(if $(filter 1,$(ASSERT)),13824,16384)
HEAP_lab_arm := 1048576
HEAP_lab_thumb := 1048576
SAMPLES_flash := 100
SAMPLES_sram := 100
SAMPLES_lab := 1000

# MEMMAP: who shows the vectors at address 0.
MEMMAP_flash := 1
MEMMAP_sram := 2
MEMMAP_lab := 2

BOARD_FLAGS := -DMAM_MODE=$(MAM) -DMAM_FETCH_CYCLES=$(MAMTIM) -DVECTORS_MEMMAP=$(MEMMAP_$(CODE)) \
	-DHEAP_BYTES=$(HEAP_$(CODE)_$(ISA)) -DSAMPLE_CAPACITY=$(SAMPLES_$(CODE))
