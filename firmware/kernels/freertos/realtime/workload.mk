# Real-time figures on FreeRTOS: the kernel's sources, without cases; its own configuration.
# The part's 32 KB of SRAM are too small for code, background threads and their stacks.
BACKGROUND := $(if $(filter sram,$(CODE)),no_background,background io)
LOAD_SOURCES := $(addprefix workloads/realtime/,load.c memory.c rehearsal.c)
HARNESS_SOURCES := harness/wire.c harness/empty.c \
	$(filter-out $(if $(filter sram,$(CODE)),$(LOAD_SOURCES)),$(wildcard workloads/realtime/*.c))
KERNEL_INCLUDES := kernels/freertos/realtime $(KERNEL_INCLUDES) workloads/realtime
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(KERNEL_HOOKS) \
	$(addprefix kernels/freertos/realtime/,main.c $(BACKGROUND:=.c))
KERNEL_ARM_SOURCES := kernels/freertos/realtime/entries.c $(FREERTOS_PORT)/portISR.c
KERNEL_CONFIGURATION := kernels/freertos/realtime/FreeRTOSConfig.h
KERNEL_FLAGS += -DTICK_HZ=$(TICK_HZ) $(if $(filter no_%,$(BACKGROUND)),-DNO_BACKGROUND)
BOARD_SOURCES += $(CHIP)/line.c $(CHIP)/alarm.c
# The background threads take from the heap what cases do not; the buffer has two words for a sample.
HEAP_flash_arm := 22528
HEAP_flash_thumb := 22528
HEAP_sram_arm := 5352
HEAP_sram_thumb := 11008
SAMPLES_flash := 512
SAMPLES_sram := 64
SAMPLES_lab := 4096
