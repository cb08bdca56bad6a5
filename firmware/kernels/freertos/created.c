/* The objects that a case creates, as many as its series is long. */
#include "cases/freertos_case.h"

void **created;

bool create_none(const struct series *series) {
    created = pvPortMalloc(series->length * sizeof *created);
    for (uint16_t i = 0; created != NULL && i < series->length; i++)
        created[i] = NULL;
    return created != NULL;
}

bool create_each(const struct series *series, void *(*create)(const struct series *series)) {
    bool done = create_none(series);
    for (uint16_t i = 0; done && i < series->length; i++)
        done = (created[i] = create(series)) != NULL;
    return done;
}

bool has_created(const struct series *series, uintptr_t handle) {
    created[series->index] = (void *)handle;
    return handle != 0;
}

bool has_deleted(const struct series *series, uintptr_t nothing) {
    created[series->index] = NULL;
    return true;
}
