/* The objects that a case creates, as many as its series is long, and the one that a case deletes.
 */
#include "cases/freertos_case.h"

void **created;

bool create_none(const struct series *series) {
    created = pvPortMalloc(series->length * sizeof *created);
    for (uint16_t i = 0; created != NULL && i < series->length; i++)
        created[i] = NULL;
    return created != NULL;
}

bool has_created(const struct series *series, uintptr_t handle) {
    created[series->index] = (void *)handle;
    return handle != 0;
}

void *object;
static void *guard;

bool keep_object(void *made) {
    object = made;
    guard = pvPortMalloc(GUARD);
    return object != NULL && guard != NULL;
}

void free_guard(void) {
    vPortFree(guard);
}
