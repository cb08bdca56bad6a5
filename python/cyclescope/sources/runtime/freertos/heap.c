/* The kernel's heap_4, with the steps through its list of free blocks counted before each call. */
#include "FreeRTOS.h"
#include "task.h"

void *counted_malloc(size_t size);
void counted_free(void *block);
void cyclescope_kernel_heap(unsigned long steps, unsigned event);

#define pvPortMalloc counted_malloc
#define vPortFree counted_free
#include "heap_4.c"
#undef pvPortMalloc
#undef vPortFree

void *pvPortMalloc(size_t size) {
    cyclescope_kernel_enter(KERNEL_pvPortMalloc, 0, size);
    size_t wanted = size ? (size + xHeapStructSize + 7) & ~(size_t)7 : 0;
    unsigned long steps = 0;
    for (BlockLink_t *at = pxEnd ? xStart.pxNextFreeBlock : NULL;
         at && at->xBlockSize < wanted && at->pxNextFreeBlock; at = at->pxNextFreeBlock)
        steps++;
    cyclescope_kernel_heap(steps, EVENT_ALLOCATED);
    void *block = counted_malloc(size);
    cyclescope_kernel_leave((long)block);
    return block;
}

void vPortFree(void *block) {
    cyclescope_kernel_enter(KERNEL_vPortFree, !block, 0);
    if (block) {
        BlockLink_t *freed = (BlockLink_t *)((uint8_t *)block - xHeapStructSize), *at = &xStart;
        unsigned long steps = 0;
        unsigned event = EVENT_FREED;
        for (; at->pxNextFreeBlock < freed; at = at->pxNextFreeBlock)
            steps++;
        if (at != &xStart && (uint8_t *)at + at->xBlockSize == (uint8_t *)freed)
            event |= EVENT_JOINED_PREVIOUS;
        if ((uint8_t *)freed + (freed->xBlockSize & ~heapBLOCK_ALLOCATED_BITMASK) ==
                (uint8_t *)at->pxNextFreeBlock &&
            at->pxNextFreeBlock != pxEnd)
            event |= EVENT_JOINED_NEXT;
        cyclescope_kernel_heap(steps, event);
    }
    counted_free(block);
    cyclescope_kernel_leave(1);
}
