# FreeRTOS V11.2.0, from the crate freertos-next (packages/Cargo.toml). The board names the port.
FREERTOS := $(PACKAGES)/freertos-next/FreeRTOS-Kernel
FREERTOS_PORT := $(FREERTOS)/portable/$(BOARD_FREERTOS_PORT)

KERNEL_INCLUDES := kernels/freertos kernels/freertos/arch/$(BOARD_ARCHITECTURE) $(FREERTOS)/include $(FREERTOS_PORT)
CLASSES_IN_ORDER := tasks task_info priorities scheduling scheduler delays semaphores mutexes \
	queues queue_waiters queue_isr queue_queries event_groups event_waits \
	stream_buffers stream_waiters stream_blocks stream_limits stream_isr stream_objects stream_queries \
	notifications notify_actions notify_waits timers timer_commands timer_queries memory heap_info \
	waits timer_lists creations deletions
KERNEL_CLASSES := $(call classes,kernels/freertos/cases,$(CLASSES_IN_ORDER))
# Code that the cases share.
KERNEL_SHARED := company gate created answers event_case heap_case stream_case stream_data timer_case word_queue
# Hooks that the kernel calls if its options say so.
KERNEL_HOOKS := kernels/freertos/hooks.c
KERNEL_SOURCES := kernels/freertos/main.c $(patsubst %,kernels/freertos/%.c,$(KERNEL_SHARED)) $(KERNEL_HOOKS) \
	$(patsubst %,kernels/freertos/cases/%.c,$(if $(filter all,$(CASES)),$(KERNEL_CLASSES),$(CASES))) \
	$(addprefix $(FREERTOS)/,tasks.c list.c queue.c event_groups.c stream_buffer.c timers.c) \
	$(FREERTOS)/portable/MemMang/heap_4.c $(FREERTOS_PORT)/port.c
KERNEL_ARM_SOURCES := kernels/freertos/interrupt.c $(BOARD_FREERTOS_PORT_ISR:%=$(FREERTOS_PORT)/%)
KERNEL_FLAGS := $(if $(filter thumb,$(ISA)),-DTHUMB_INTERWORK) $(OPTION_FLAGS)
# The end of a list is a MiniListItem_t that the kernel also writes as a ListItem_t. GCC supposes that such two never
# lie at one address; then xTaskResumeAll() reads the first of several pending tasks for ever.
KERNEL_COMPILE_FLAGS := -fno-strict-aliasing
# The configuration as the compiler sees it, and where its macros get their last word.
KERNEL_CONFIGURATION := kernels/freertos/FreeRTOSConfig.h
KERNEL_HEADERS := FreeRTOS.h task.h
KERNEL_VERSION_MACRO := tskKERNEL_VERSION_NUMBER
# Its cases read a timer that is a register.
KERNEL_TIMERS := $(filter-out pin,$(TIMERS))
KERNEL_PACKAGES := $(PACKAGES)/ready
KERNEL_LINK_FLAGS := $(BOARD_FREERTOS_LINK)
