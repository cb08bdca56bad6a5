# How the firmware is built for the ATmega2560. board.toml has the settings and their defaults.
CHIP := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
MCU := atmega2560
include arch/avr/toolchain.mk
BOARD_FREERTOS_PORT := ThirdParty/GCC/ATmega

BOARD_INCLUDES := $(CHIP) $(CHIP)/timers/$(TIMER)
BOARD_SOURCES := $(CHIP)/board.c $(wildcard $(CHIP)/timers/$(TIMER)/*.c)
BOARD_LINK_FOLDERS += $(CHIP)

# Of 8 KB: the heap of FreeRTOS has what harness and cases leave. Options of the kernel take some.
HEAP_flash := $(if $(UNUSUAL),5184,5696)
SAMPLES_flash := 100
# Without a kernel there is space for more of them.
SAMPLES_bare_flash := 300
# Memory that the cases of the C library share (firmware/cases/arena.h).
ARENA_flash := 4576

BOARD_CONFIGURATION := $(CLOCK_MHZ)mhz
BOARD_FACTS := clock_mhz=$(CLOCK_MHZ)
BOARD_LINK := -nodefaultlibs
BOARD_LIBRARIES := -lm -lc -latmega2560 -lgcc

BOARD_FLAGS = $(ARCHITECTURE_FLAGS) -DCLOCK_MHZ=$(CLOCK_MHZ) -DHEAP_BYTES=$(HEAP_$(CODE)) \
	-DSAMPLE_CAPACITY=$(or $(SAMPLES_$(KERNEL)_$(CODE)),$(SAMPLES_$(CODE)))
