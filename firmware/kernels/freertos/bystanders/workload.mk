# The cases among bystanders. The lab asks for tasks, timers, objects or free blocks beside those
# that a case makes (benches/lists), to see which calls walk over them.
KERNEL_SOURCES += kernels/freertos/bystanders/bystanders.c
KERNEL_FLAGS += -DBYSTANDERS
