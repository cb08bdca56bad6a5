/* Tasks of your own for `cyclescope switch --work examples/switch/median.c`
 * (docs/explanation/switch.md): a median filter preempts a task that keeps a checksum of what it
 * waits for. */
#include <stdint.h>

enum { TAPS = 5, SAMPLES = 64 };

static uint16_t taken[SAMPLES];

static uint32_t median(const uint16_t *from) {
    uint16_t sorted[TAPS];
    for (int i = 0; i < TAPS; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > from[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = from[i];
    }
    return sorted[TAPS / 2];
}

/* Called once a preemption; `operations` is that of the command line. */
uint32_t preempting_task(uint32_t operations) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < operations; i++)
        sum += median(&taken[i % (SAMPLES - TAPS)]);
    return sum;
}

static volatile uint32_t checksum;

/* Called in each iteration of the preempted task, beside its waiting for the UART. */
void preempted_task(void) {
    uint32_t sum = checksum;
    checksum = (sum << 1 | sum >> 31) ^ 0x1021;
}
