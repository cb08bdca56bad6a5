/* Objects deleted one at a time, behind N free blocks of the heap. Memory given back is put behind
 * them in the list of free blocks, which is in the order of addresses. The neighbours are in use,
 * and the object is created again, in the same place, before the next call. */
#include "heap_case.h"
#include "stream_case.h"
#include "timer_case.h"

#include "event_groups.h"

/* Of what `create` creates, until the case ends. */
static bool begin(const struct series *series, void *(*create)(void)) {
    object = NULL;
    return make_fragments(series) && keep_object(create());
}

static void end(const struct series *series) {
    free_guard();
    free_fragments(series);
}

/* Defines the hooks begin_<kind>, again_<kind> and end_<kind>. */
#define DELETED_BEHIND(kind, create_it, delete_it)                             \
    static void *create_##kind(void) {                                         \
        return create_it;                                                      \
    }                                                                          \
    static bool begin_##kind(const struct series *series) {                    \
        return begin(series, create_##kind);                                   \
    }                                                                          \
    static bool again_##kind(const struct series *series, uintptr_t nothing) { \
        return (object = create_##kind()) != NULL;                             \
    }                                                                          \
    static void end_##kind(const struct series *series) {                      \
        if (object != NULL)                                                    \
            delete_it;                                                         \
        end(series);                                                           \
    }

#define BEHIND(kind, what)                                                                         \
    LIBRARY, .condition = what "; heap_4, behind free blocks, neighbours in use", AMONG_FRAGMENTS, \
             .bytes = fragments_and_object_bytes, .set_up = begin_##kind, .after = again_##kind,   \
             .tear_down = end_##kind

DELETED_BEHIND(queue, xQueueCreate(1, sizeof(uint32_t)), vQueueDelete(object))

TIMED_ACTION(queue_delete, behind_free_blocks, vQueueDelete, vQueueDelete(object),
             BEHIND(queue, "empty"))

DELETED_BEHIND(group, xEventGroupCreate(), vEventGroupDelete(object))

TIMED_ACTION(event_group_delete, behind_free_blocks, vEventGroupDelete, vEventGroupDelete(object),
             BEHIND(group, "nobody waits"))

DELETED_BEHIND(stream, xStreamBufferCreate(CAPACITY, 1), vStreamBufferDelete(object))

TIMED_ACTION(stream_delete, behind_free_blocks, vStreamBufferDelete, vStreamBufferDelete(object),
             BEHIND(stream, "empty"))

static void *create_dormant(void) {
    raise_daemon();
    return create_dormant_timer();
}

static void delete_timer(void) {
    xTimerDelete(object, 0);
    run_timer_daemon();
}

DELETED_BEHIND(timer, create_dormant(), delete_timer())

TIMED_CASE(timer_delete, behind_free_blocks, xTimerGenericCommandFromTask, xTimerDelete(object, 0),
           BEHIND(timer, "carried out at once"))
