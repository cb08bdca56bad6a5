# How the firmware is built for the LPC2148. CHIP is the folder with the sources, that of this file; a board with
# the same chip includes it. board.toml has the settings and their defaults.
CHIP := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
include arch/arm/toolchain.mk
BOARD_FREERTOS_PORT := GCC/ARM7_LPC2000

BOARD_INCLUDES := $(CHIP) $(CHIP)/timers/$(TIMER)
BOARD_SOURCES := $(CHIP)/board.c
BOARD_ARM_SOURCES := $(CHIP)/start.S
BOARD_LINK_FOLDERS += $(CHIP)

# PLL0 multiplies the 12 MHz crystal by 1 to 5, and divides its own oscillator (156 to 320 MHz) by 2 P.
PLL_P_12 := 8
PLL_P_24 := 4
PLL_P_36 := 4
PLL_P_48 := 2
PLL_P_60 := 2
# Cycles of a flash read: 1 below 20 MHz, 2 to 40 MHz, 3 above.
MAMTIM ?= $(if $(filter 12,$(CLOCK_MHZ)),1,$(if $(filter 24 36,$(CLOCK_MHZ)),2,3))
# Baud = PCLK / (16 x 3 x (1 + add / multiply)): exact for every clock and VPBDIV, 1 MHz at 48 and 60 MHz.
WIRE_FRACTION_36 := -DWIRE_ADD=1 -DWIRE_MULTIPLY=2
WIRE_FRACTION_60 := -DWIRE_ADD=1 -DWIRE_MULTIPLY=4
WIRE_FRACTION := $(or $(WIRE_FRACTION_$(CLOCK_MHZ)),-DWIRE_ADD=0 -DWIRE_MULTIPLY=1)

# Heap: what the code's memory leaves; in SRAM, with the cases of any one class. Options of the kernel take some.
HEAP_flash_arm := $(if $(UNUSUAL),28160,29696)
HEAP_flash_thumb := $(HEAP_flash_arm)
HEAP_sram_arm := $(if $(UNUSUAL),4096,7424)
HEAP_sram_thumb := $(if $(UNUSUAL),9216,13056)
HEAP_lab_arm := 1048576
HEAP_lab_thumb := 1048576
SAMPLES_flash := 100
SAMPLES_sram := 100
SAMPLES_lab := 1000
# Without a kernel there is space for more of them, and for a stack that holds the user's code.
SAMPLES_bare_flash := 2000
SAMPLES_bare_sram := 1000
SAMPLES_bare_lab := 20000
# Real-time figures: background threads take from the heap what cases do not; the buffer has two words for a sample.
ifeq ($(WORKLOAD),realtime)
BOARD_CODE_WITHOUT_BACKGROUND := sram
HEAP_flash_arm := 22528
HEAP_flash_thumb := 22528
HEAP_sram_arm := 5352
HEAP_sram_thumb := 11008
SAMPLES_flash := 512
SAMPLES_sram := 64
SAMPLES_lab := 4096
endif
# Memory that the cases of the C library share (firmware/cases/arena.h).
ARENA_flash := 20480
ARENA_sram := 4096
ARENA_lab := 65536
# The disk, in blocks of 256 bytes (firmware/files/files.h); with code in SRAM there is no space for one.
DISK_BLOCKS_flash := 40
DISK_BLOCKS_lab := 128
# Memory of a user's program in KiB (firmware/application/). On the lab's board flash has it too.
ifneq ($(BOARD),lpc2148-lab)
APPLICATION_flash_disk_kib := 10
APPLICATION_flash_heap_kib := 8
APPLICATION_flash_stack_kib := 4
APPLICATION_flash_kernel_kib := 6
endif

# MEMMAP: the memory that shows the vectors at address 0.
MEMMAP_flash := 1
MEMMAP_sram := 2
MEMMAP_lab := 2

# More settings that distinguish images of this board.
BOARD_CONFIGURATION := mam$(MAM)-mamtim$(MAMTIM)-$(CLOCK_MHZ)mhz-vpbdiv$(VPBDIV)
BOARD_FACTS := memory.mam=$(MAM) memory.mamtim=$(MAMTIM) clock_mhz=$(CLOCK_MHZ) vpbdiv=$(VPBDIV)
BOARD_LINK := -nostartfiles -Wl,--no-warn-rwx-segments

BOARD_FLAGS = -DCLOCK_MHZ=$(CLOCK_MHZ) -DPLL_P=$(PLL_P_$(CLOCK_MHZ)) -DVPB_DIVIDER=$(VPBDIV) $(WIRE_FRACTION) \
	-DMAM_MODE=$(MAM) -DMAM_FETCH_CYCLES=$(MAMTIM) -DVECTORS_MEMMAP=$(MEMMAP_$(CODE)) \
	-DHEAP_BYTES=$(HEAP_$(CODE)_$(ISA)) -DSAMPLE_CAPACITY=$(or $(SAMPLES_$(KERNEL)_$(CODE)),$(SAMPLES_$(CODE)))
