# A user's program with FreeRTOS: main() makes its tasks and starts the scheduler, and a task ends the program by exit().
# A tick of 1 ms, unless the command line or the board has another one.
KERNEL_INCLUDES := kernels/freertos/application $(KERNEL_INCLUDES)
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(KERNEL_HOOKS)
KERNEL_ARM_SOURCES := $(BOARD_FREERTOS_PORT_ISR:%=$(FREERTOS_PORT)/%)
KERNEL_CONFIGURATION := kernels/freertos/application/FreeRTOSConfig.h
KERNEL_FLAGS += -DTICK_HZ=$(TICK_HZ)
APPLICATION_INCLUDES = $(INCLUDES) $(DEFINES)
include application/application.mk
