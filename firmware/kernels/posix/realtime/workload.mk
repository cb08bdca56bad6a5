# Real-time figures on Linux's threads; this folder's kernel.h has ticks.
HARNESS_SOURCES := harness/wire.c harness/empty.c $(wildcard workloads/realtime/*.c)
KERNEL_INCLUDES := kernels/posix/realtime workloads/realtime
KERNEL_SOURCES := $(wildcard kernels/posix/realtime/*.c)
KERNEL_TIMERS := $(or $(BOARD_REALTIME_TIMERS),clock_gettime)
BOARD_SOURCES += $(BOARD_REALTIME_SOURCES)
BOARD_FLAGS := $(filter-out -DSAMPLE_CAPACITY=%,$(BOARD_FLAGS)) -DSAMPLE_CAPACITY=2048 $(BOARD_REALTIME_FLAGS)
