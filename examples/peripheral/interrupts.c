#include "interrupts.h"

#include "interrupt_entry.h"
#include "task.h"

#define VIC_VECTOR(slot) REGISTER(0xFFFFF100 + 4 * (slot))
#define VIC_CONTROL(slot) REGISTER(0xFFFFF200 + 4 * (slot))
enum { VIC_SLOT_ENABLE = 1 << 5 };

INTERRUPT_ENTRY(uart_entered, uart_interrupt)

INTERRUPT_ENTRY(player_entered, player_interrupt)

void attach_interrupt(uint32_t slot, uint32_t source, void (*entry)(void)) {
    VIC_VECTOR(slot) = (uint32_t)entry;
    VIC_CONTROL(slot) = source | VIC_SLOT_ENABLE;
    VICIntEnable = 1u << source;
}

void end_interrupt(BaseType_t woken) {
    VICVectAddr = 0;
    if (woken)
        vTaskSwitchContext();
}
