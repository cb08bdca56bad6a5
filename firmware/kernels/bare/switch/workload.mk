# The cost of a context switch, without a kernel.
HARNESS_SOURCES := harness/wire.c harness/empty.c $(wildcard workloads/switch/*.c)
KERNEL_INCLUDES += workloads/switch
KERNEL_ARM_SOURCES += kernels/bare/switch/preemption.c
BOARD_SOURCES += $(CHIP)/alarm.c $(CHIP)/transmitter.c
KERNEL_TIMERS := $(or $(ALARM_TIMER),$(filter-out pin,$(TIMERS)))
include workloads/switch/own.mk
