# A station with IrDA: the kernel's sources, the stack and its port; its own configuration.
IRDA := irda
# The tick of Linux on this board, unless the command line has another one.
ifeq ($(origin TICK_HZ),file)
TICK_HZ := 100
endif
HARNESS_SOURCES := harness/wire.c
KERNEL_INCLUDES := kernels/freertos/irda $(KERNEL_INCLUDES) $(IRDA) $(IRDA)/ports/freertos
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(wildcard $(IRDA)/*.c) \
	$(filter-out %/entries.c,$(wildcard $(IRDA)/ports/freertos/*.c))
KERNEL_ARM_SOURCES := $(IRDA)/ports/freertos/entries.c $(FREERTOS_PORT)/portISR.c
KERNEL_CONFIGURATION := kernels/freertos/irda/FreeRTOSConfig.h
KERNEL_FLAGS += -DTICK_HZ=$(TICK_HZ)
