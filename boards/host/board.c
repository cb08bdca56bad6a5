/* The host as a board: a process of Linux. The wire has the standard input and output for itself;
 * what the user's code reads and writes there goes elsewhere. */
#include "board.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"

enum {
    CALIBRATION_NS = 50 * 1000 * 1000,
    CALIBRATION_TRIES = 100,
    COUNTER_ROUNDING_HZ = 100 * 1000
};

uint32_t board_counter_hz;

static int wire_input, wire_output;

static uint64_t raw_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct moment {
    uint64_t ns, count;
};

/* Counter and clock at the same time: of many tries that with the least time between two looks at
 * the clock, around the counter's. */
static struct moment look(void) {
    struct moment best = {0, 0};
    uint64_t least_ns = UINT64_MAX;
    for (int try = 0; try < CALIBRATION_TRIES; try++) {
        uint64_t before_ns = raw_ns(), count = counter_now(), after_ns = raw_ns();
        if (after_ns - before_ns < least_ns) {
            least_ns = after_ns - before_ns;
            best = (struct moment){before_ns + least_ns / 2, count};
        }
    }
    return best;
}

/* Rounded, so that the rate is the same in every run. */
static uint32_t measure_counter(void) {
    struct moment from = look(), to;
    do {
        to = look();
    } while (to.ns - from.ns < CALIBRATION_NS);
    double hz = (double)(to.count - from.count) * 1e9 / (double)(to.ns - from.ns);
    return (uint32_t)(hz / COUNTER_ROUNDING_HZ + 0.5) * COUNTER_ROUNDING_HZ;
}

void board_start(void) {
    wire_input = dup(STDIN_FILENO);
    wire_output = dup(STDOUT_FILENO);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
    (void)!mlockall(MCL_CURRENT | MCL_FUTURE); /* the lab looks whether it could be done */
    /* The lab passes the first program's figure, so that all programs agree. */
    const char *known = getenv("BOARD_COUNTER_HZ");
    board_counter_hz = known ? (uint32_t)strtoul(known, NULL, 10) : measure_counter();
}

static uint8_t output[512];
static size_t output_length;

static void flush(void) {
    for (size_t sent = 0; sent < output_length;) {
        ssize_t written = write(wire_output, output + sent, output_length - sent);
        if (written < 0)
            exit(EXIT_FAILURE);
        sent += (size_t)written;
    }
    output_length = 0;
}

/* A zero ends a frame: then it is sent. */
void board_send(uint8_t byte) {
    output[output_length++] = byte;
    if (byte == 0 || output_length == sizeof output)
        flush();
}

/* Waits for the lab, which ends the program by closing the wire. */
bool board_receive(uint8_t *byte) {
    static uint8_t input[512];
    static ssize_t length, taken;
    if (taken == length) {
        length = read(wire_input, input, sizeof input);
        taken = 0;
        if (length <= 0)
            _exit(EXIT_SUCCESS);
    }
    *byte = input[taken++];
    return true;
}

/* Linux lets a thread of raised priority have 0.95 of a second, and stops it for the rest
 * (sched_rt_runtime_us). Before that it stops by itself, where no measurement is under way. */
enum { AT_ONE_GO_NS = 300 * 1000 * 1000, REST_NS = 30 * 1000 * 1000 };

bool board_rest(void) {
    static uint64_t since_ns;
    if (raw_ns() - since_ns < AT_ONE_GO_NS)
        return false;
    nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
    since_ns = raw_ns();
    return true;
}

void board_sleep(void) {
    pause();
}

/* The system guards the stack. */
void board_guard_stack(void) {}
bool board_stack_sound(void) {
    return true;
}
