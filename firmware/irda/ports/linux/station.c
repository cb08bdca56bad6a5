// A station on a serial line of Linux: sends one file, or takes one; then it ends.
//
// usage: station NAME=VALUE…
//
//   send=PATH       the file that is sent; or
//   receive=PATH    where the file goes that comes
//   line=PATH       the serial line (/dev/ttyS1)
//   seed=NUMBER     of addresses, slots and back-off: stations need different ones (1)
//   tries=NUMBER    discoveries (20)
//   credits=NUMBER  of TinyTP (14)
//   selective=1     keeps packets that come out of sequence, and asks for a missing one by SREJ (0)
//   speeds, sizes, windows, bofs, turnaround   abilities (lap_abilities.h), hexadecimal
//
// Prints what was negotiated. The exit status is that of `enum send_result`, or 100 for a file or a
// line that cannot be opened.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../../irda.h"

#define FAILED 100
#define LINGER_US \
    1500000u // after the transfer the link is closed, and the other station may ask again
#define MOST_WAIT_MS 1000
#define CHUNK_OCTETS 4096

struct station {
    struct irda irda;
    int line, file;
    uint32_t random;
    bool asked_to_send;
    bool is_over;
    enum send_result result;
    struct lap_packet kept[LAP_KEPT];
    struct lap_link link; // as it was when the transfer ended
    uint8_t octets[CHUNK_OCTETS];
};

struct options {
    const char *send, *receive, *line;
    unsigned seed, tries, credits, selective;
    struct lap_abilities abilities;
};

static const struct {
    uint32_t bits_per_second;
    speed_t code;
} SPEEDS[] = {{9600, B9600}, {19200, B19200}, {38400, B38400}, {57600, B57600}, {115200, B115200}};

static uint32_t now_us(void *context) {
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)now.tv_sec * 1000000u + (uint32_t)(now.tv_nsec / 1000);
}

// xorshift32
static uint32_t next_random(void *context) {
    struct station *station = context;
    uint32_t x = station->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return station->random = x;
}

static void start_sending(void *context) {
    struct station *station = context;
    station->asked_to_send = true;
}

static void set_speed(void *context, uint32_t bits_per_second) {
    struct station *station = context;
    struct termios line;
    tcgetattr(station->line, &line);
    cfmakeraw(&line);
    line.c_cflag |= CLOCAL | CREAD;
    line.c_cc[VMIN] = 0;
    line.c_cc[VTIME] = 0;
    for (size_t at = 0; at < sizeof SPEEDS / sizeof *SPEEDS; at++) {
        if (SPEEDS[at].bits_per_second == bits_per_second) {
            cfsetispeed(&line, SPEEDS[at].code);
            cfsetospeed(&line, SPEEDS[at].code);
        }
    }
    tcsetattr(station->line, TCSANOW, &line);
}

static size_t read_file(void *context, uint8_t *octets, size_t capacity) {
    struct station *station = context;
    ssize_t count = read(station->file, octets, capacity);
    return count > 0 ? (size_t)count : 0;
}

static bool begin_file(void *context, const char *name, uint32_t octets) {
    struct station *station = context;
    (void)name;
    (void)octets;
    return lseek(station->file, 0, SEEK_SET) == 0 && ftruncate(station->file, 0) == 0;
}

static bool write_file(void *context, const uint8_t *octets, size_t count) {
    struct station *station = context;
    return write(station->file, octets, count) == (ssize_t)count;
}

static void ended(void *context, enum send_result result) {
    struct station *station = context;
    station->result = result;
    station->link = station->irda.lap.link;
    station->is_over = true;
}

static void write_all(struct station *station, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t written = write(station->line, station->octets + done, count - done);
        if (written > 0) {
            done += (size_t)written;
        } else {
            struct pollfd line = {.fd = station->line, .events = POLLOUT};
            poll(&line, 1, MOST_WAIT_MS);
        }
    }
}

// Sends all that is ready, and waits until it has left. The tty layer looks for that at its ticks
// only, so an answer may have begun: as many octets as were sent are the echo, and no more.
static void send_all(struct station *station) {
    size_t count, echo = 0;
    ssize_t dropped;
    station->asked_to_send = false;
    while ((count = framer_fetch(&station->irda.framer, station->octets, CHUNK_OCTETS)) > 0) {
        write_all(station, count);
        echo += count;
    }
    tcdrain(station->line);
    while (echo > 0 && (dropped = read(station->line, station->octets,
                                       echo < CHUNK_OCTETS ? echo : CHUNK_OCTETS)) > 0) {
        echo -= (size_t)dropped;
    }
    framer_sent(&station->irda.framer);
}

static int wait_ms(const struct station *station, uint32_t now) {
    uint32_t at_us;
    if (!irda_deadline(&station->irda, &at_us)) {
        return MOST_WAIT_MS;
    }
    if (irda_is_due(now, at_us)) {
        return 0;
    }
    uint32_t left_ms = (at_us - now + 999) / 1000;
    return left_ms < MOST_WAIT_MS ? (int)left_ms : MOST_WAIT_MS;
}

static void receive(struct station *station, int most_ms) {
    struct pollfd line = {.fd = station->line, .events = POLLIN};
    if (poll(&line, 1, most_ms) <= 0) {
        return;
    }
    ssize_t count = read(station->line, station->octets, CHUNK_OCTETS);
    if (count > 0) {
        framer_receive(&station->irda.framer, station->octets, (size_t)count);
    }
}

static void run(struct station *station) {
    uint32_t until_us = 0;
    bool lingers = false;
    for (;;) {
        uint32_t now = now_us(NULL);
        irda_run(&station->irda);
        if (station->asked_to_send) {
            send_all(station);
            continue;
        }
        if (station->is_over && !lingers) {
            until_us = now + LINGER_US;
            lingers = true;
        }
        if (lingers && irda_is_due(now, until_us)) {
            return;
        }
        receive(station, wait_ms(station, now));
    }
}

static bool is_option(const char *argument, const char *name, const char **value) {
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || argument[length] != '=') {
        return false;
    }
    *value = argument + length + 1;
    return true;
}

static bool understand(struct options *options, const char *argument) {
    struct {
        const char *name;
        const char **text;
        unsigned *number;
        uint8_t *bits;
    } known[] = {
        {"send", &options->send, NULL, NULL},
        {"receive", &options->receive, NULL, NULL},
        {"line", &options->line, NULL, NULL},
        {"seed", NULL, &options->seed, NULL},
        {"tries", NULL, &options->tries, NULL},
        {"credits", NULL, &options->credits, NULL},
        {"selective", NULL, &options->selective, NULL},
        {"speeds", NULL, NULL, &options->abilities.speeds},
        {"sizes", NULL, NULL, &options->abilities.data_sizes},
        {"windows", NULL, NULL, &options->abilities.windows},
        {"bofs", NULL, NULL, &options->abilities.extra_bofs},
        {"turnaround", NULL, NULL, &options->abilities.min_turnaround},
    };
    for (size_t at = 0; at < sizeof known / sizeof *known; at++) {
        const char *value;
        if (!is_option(argument, known[at].name, &value)) {
            continue;
        }
        if (known[at].text != NULL) {
            *known[at].text = value;
        } else if (known[at].number != NULL) {
            *known[at].number = (unsigned)strtoul(value, NULL, 10);
        } else {
            *known[at].bits = (uint8_t)strtoul(value, NULL, 16);
        }
        return true;
    }
    return false;
}

static bool begin(struct station *station, const struct options *options) {
    struct stat file;
    const char *path = strrchr(options->send == NULL ? "" : options->send, '/');
    if (options->send == NULL) {
        send_receive(&station->irda.send);
        return true;
    }
    return fstat(station->file, &file) == 0 &&
           send_file(&station->irda.send, path == NULL ? options->send : path + 1,
                     (uint32_t)file.st_size, options->tries);
}

int main(int argc, char **argv) {
    static struct station station = {.result = FAILED};
    struct options options = {.line = "/dev/ttyS1",
                              .seed = 1,
                              .tries = 20,
                              .credits = 14,
                              .abilities = LAP_ALL_ABILITIES};
    options.abilities.min_turnaround = 0x01; // 10 ms: a tick of the kernel
    for (int at = 1; at < argc; at++) {
        if (!understand(&options, argv[at])) {
            fprintf(stderr, "station: %s is no option\n", argv[at]);
            return FAILED;
        }
    }
    struct irda_port port = {&station, now_us, next_random, start_sending, set_speed};
    struct send_calls calls = {&station, read_file, begin_file, write_file, ended};
    struct irda_config config = {
        .name = options.send == NULL ? "Receiver" : "Sender",
        .credits = (uint8_t)options.credits,
        .abilities = options.abilities,
        .kept = options.selective ? station.kept : NULL,
    };
    station.random = options.seed * 2654435761u + 1;
    station.line = open(options.line, O_RDWR | O_NONBLOCK | O_NOCTTY);
    station.file = options.send != NULL ? open(options.send, O_RDONLY)
                   : options.receive != NULL
                       ? open(options.receive, O_RDWR | O_CREAT | O_TRUNC, 0644)
                       : -1;
    if (station.line < 0 || station.file < 0) {
        fprintf(stderr, "station: a file or the line cannot be opened\n");
        return FAILED;
    }
    irda_init(&station.irda, &port, &calls, &config);
    if (!begin(&station, &options)) {
        return FAILED;
    }
    run(&station);
    printf("link: %u bit/s, frames of %u and %u octets, windows of %u and %u\n",
           (unsigned)station.link.speed, station.link.send_octets, station.link.receive_octets,
           station.link.send_window, station.link.receive_window);
    return (int)station.result;
}
