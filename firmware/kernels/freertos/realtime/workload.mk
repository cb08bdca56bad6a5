# Real-time figures on FreeRTOS: the kernel's sources, without cases; its own configuration.
# Beside code in the board's smallest memories there is no space for background threads and their stacks.
WITHOUT_BACKGROUND := $(filter $(BOARD_CODE_WITHOUT_BACKGROUND),$(CODE))
BACKGROUND := $(if $(WITHOUT_BACKGROUND),no_background,background io)
LOAD_SOURCES := $(addprefix workloads/realtime/,load.c memory.c rehearsal.c)
HARNESS_SOURCES := harness/wire.c harness/empty.c \
	$(filter-out $(if $(WITHOUT_BACKGROUND),$(LOAD_SOURCES)),$(wildcard workloads/realtime/*.c))
KERNEL_INCLUDES := kernels/freertos/realtime $(KERNEL_INCLUDES) workloads/realtime
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(KERNEL_HOOKS) \
	$(addprefix kernels/freertos/realtime/,main.c $(BACKGROUND:=.c))
KERNEL_ARM_SOURCES := kernels/freertos/realtime/entries.c $(BOARD_FREERTOS_PORT_ISR:%=$(FREERTOS_PORT)/%)
KERNEL_CONFIGURATION := kernels/freertos/realtime/FreeRTOSConfig.h
KERNEL_FLAGS += -DTICK_HZ=$(TICK_HZ) $(if $(filter no_%,$(BACKGROUND)),-DNO_BACKGROUND)
BOARD_SOURCES += $(CHIP)/line.c $(CHIP)/alarm.c
