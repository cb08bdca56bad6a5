# No kernel: the harness answers the wire from main(), and nothing interrupts it. Fragments are timed here, and the
# calls of the C library (cases/).
KERNEL_INCLUDES := kernels/bare kernels/bare/arch/$(BOARD_ARCHITECTURE)
KERNEL_SOURCES := kernels/bare/main.c $(BOARD_BARE_SOURCES)
KERNEL_ARM_SOURCES := $(BOARD_BARE_ARM_SOURCES)
KERNEL_TIMERS := $(TIMERS)
KERNEL_HEADERS := kernel.h
KERNEL_VERSION_MACRO := KERNEL_VERSION
# A stack for the user's code; stack_begin is its lowest address.
KERNEL_LINK_FLAGS := $(BOARD_BARE_LINK_FLAGS)
# Neither a fragment nor a workload, on a board that has memory for them: the library's cases.
ifeq ($(FRAGMENT)$(WORKLOAD),)
ifneq ($(ARENA_$(CODE)),)
include cases/cases.mk
endif
endif
