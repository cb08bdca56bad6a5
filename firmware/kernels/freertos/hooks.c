/* Functions that the kernel calls if its options say so (options.mk). */
#include <string.h>

#include "FreeRTOS.h"
#include "task.h"

#include "wire.h"

void kernel_assertion_failed(const char *file, int line) {
    char text[80];
    size_t length = strlen(file);
    if (length > sizeof text - 16)
        length = sizeof text - 16;
    memcpy(text, file, length);
    text[length++] = ':';
    for (int digit = 10000; digit > 0; digit /= 10)
        if (line >= digit)
            text[length++] = (char)('0' + line / digit % 10);
    text[length] = 0;
    portDISABLE_INTERRUPTS();
    wire_fault(FAULT_CHECK, (uintptr_t)__builtin_return_address(0), text);
}

#if configCHECK_FOR_STACK_OVERFLOW
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
    (void)task;
    portDISABLE_INTERRUPTS();
    wire_fault(FAULT_STACK, 0, name);
}
#endif

#if configUSE_TICK_HOOK
void vApplicationTickHook(void) {}
#endif

#if configUSE_MALLOC_FAILED_HOOK
void vApplicationMallocFailedHook(void) {}
#endif

#if configENABLE_HEAP_PROTECTOR
void vApplicationGetRandomHeapCanary(portPOINTER_SIZE_TYPE *canary) {
    *canary = 0x5EED1E55; /* the same in every run */
}
#endif
