# Linux's own threads, as POSIX has them: a workload's program runs on the host beside everything else there.
KERNEL_INCLUDES := kernels/posix
KERNEL_SOURCES :=
KERNEL_TIMERS := clock_gettime
KERNEL_HEADERS := kernel.h
KERNEL_VERSION_MACRO := KERNEL_VERSION
KERNEL_LINK_FLAGS := -pthread
ifeq ($(WORKLOAD),)
$(error The kernel posix has no cases: it runs a WORKLOAD, one of $(notdir $(patsubst %/workload.mk,%,$(wildcard kernels/posix/*/workload.mk))))
endif
