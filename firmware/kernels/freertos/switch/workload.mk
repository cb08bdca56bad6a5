# The cost of a context switch under FreeRTOS: the kernel's sources, without cases.
HARNESS_SOURCES := harness/wire.c harness/empty.c $(wildcard workloads/switch/*.c)
KERNEL_INCLUDES += workloads/switch
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(KERNEL_HOOKS)
KERNEL_ARM_SOURCES := kernels/freertos/switch/preemption.c $(BOARD_FREERTOS_PORT_ISR:%=$(FREERTOS_PORT)/%)
BOARD_SOURCES += $(CHIP)/alarm.c $(CHIP)/transmitter.c
KERNEL_TIMERS := $(or $(ALARM_TIMER),$(filter-out pin,$(TIMERS)))
include workloads/switch/own.mk
