# Linux's own threads and calls, as POSIX has them: a program on the host beside everything else there.
ifneq ($(CROSS),)
$(error The kernel posix runs on the host, not on $(BOARD): choose the board host)
endif
KERNEL_INCLUDES := kernels/posix
KERNEL_CLASSES := threads mutexes conditions rwlocks barriers semaphores message_queues timers clocks signals pipes \
	files streams memory processes
# A file that is not listed comes last.
KERNEL_CLASSES += $(filter-out $(KERNEL_CLASSES),$(sort $(basename $(notdir $(wildcard kernels/posix/cases/*.c)))))
KERNEL_SOURCES := kernels/posix/main.c kernels/posix/caretaker.c kernels/posix/company.c kernels/posix/hooks.c \
	$(patsubst %,kernels/posix/cases/%.c,$(if $(filter all,$(CASES)),$(KERNEL_CLASSES),$(CASES)))
KERNEL_TIMERS := $(TIMERS)
KERNEL_HEADERS := kernel.h
KERNEL_VERSION_MACRO := KERNEL_VERSION
# Every function of a library is found before the program starts, not when it is first called.
KERNEL_LINK_FLAGS := -pthread -Wl,-z,now
BOARD_LIBRARIES += -lrt
