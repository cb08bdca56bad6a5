/* Checks of a call's answer against its condition: hooks, .after. */
#include "cases/freertos_case.h"

bool is_true(const struct series *series, uintptr_t answer) {
    return answer == pdTRUE;
}

bool is_zero(const struct series *series, uintptr_t answer) {
    return answer == 0;
}

bool is_some(const struct series *series, uintptr_t answer) {
    return answer != 0;
}
