# Linux's own threads and calls, as POSIX has them: a program beside everything else on the host, or the only one of a
# board.
ifeq ($(BOARD_SYSTEM),)
$(error The kernel posix runs on boards with Linux, not on $(BOARD): choose one of: at91x40 host)
endif
KERNEL_INCLUDES := kernels/posix
CLASSES_IN_ORDER := threads mutexes conditions rwlocks barriers semaphores message_queues timers clocks signals pipes \
	files streams memory processes
KERNEL_CLASSES := $(call classes,kernels/posix/cases,$(CLASSES_IN_ORDER))
KERNEL_SOURCES := kernels/posix/main.c $(or $(BOARD_PROCESSES),kernels/posix/caretaker.c kernels/posix/child.c) kernels/posix/company.c kernels/posix/hooks.c \
	$(patsubst %,kernels/posix/cases/%.c,$(if $(filter all,$(CASES)),$(KERNEL_CLASSES),$(CASES)))
KERNEL_TIMERS := $(TIMERS)
KERNEL_HEADERS := kernel.h
KERNEL_VERSION_MACRO := KERNEL_VERSION
# Every function of a library is found before the program starts, not when it is first called.
KERNEL_LINK_FLAGS := $(if $(CROSS),,-pthread) -Wl,-z,now
BOARD_LIBRARIES += -lrt
