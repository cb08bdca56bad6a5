/* Atomic operations that the compiler asks for. The core has none but SWP, so they use the kernel's
 * helper in the vectors page, which an interrupt within it starts anew
 * (linux/kernel/threads.patch). */
#include <stdint.h>

/* `now` to `*at` if that is `then`; 0 if it was. */
typedef int compare_and_swap(uint32_t then, uint32_t now, volatile uint32_t *at);
#define KERNEL_COMPARE_AND_SWAP ((compare_and_swap *)0xFC0)

/* One core, and nothing that orders its accesses anew. */
void __sync_synchronize(void) {
    __asm volatile("" : : : "memory");
}

uint32_t __sync_add_and_fetch_4(volatile void *at, uint32_t more) {
    volatile uint32_t *const value = at;
    uint32_t then;
    do {
        then = *value;
    } while (KERNEL_COMPARE_AND_SWAP(then, then + more, value) != 0);
    return then + more;
}
