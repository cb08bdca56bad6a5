# The user's own tasks instead of the multiply-accumulate one: WORK is the folder with work.c, which the lab writes.
ifneq ($(WORK),)
HARNESS_SOURCES += $(WORK)/work.c
KERNEL_FLAGS += -DOWN_TASKS
endif
