#include "send_options.h"

#include <stdlib.h>
#include <string.h>

static const struct options defaults = {.until_s = 60,
                                        .credits = 14,
                                        .receiver = 1,
                                        .tries = 3,
                                        .medium = {.seed = 1},
                                        .abilities = {0x3E, 0x01, 0x3F, 0x7F, 0x80, 0x10, 0xFF}};

static bool set_number(struct options *options, const char *name, const char *value) {
    const struct {
        const char *name;
        unsigned *number;
    } decimal[] = {
        {"latency", &options->medium.latency_us},
        {"errors", &options->medium.errors_per_1e9_bits},
        {"chunk", &options->medium.chunk_octets},
        {"wait", &options->medium.chunk_wait_us},
        {"credits", &options->credits},
        {"receiver", &options->receiver},
        {"refuse", &options->refuse},
        {"tries", &options->tries},
        {"selective", &options->selective},
    };
    const struct {
        const char *name;
        uint8_t *bits;
    } hexadecimal[] = {
        {"speeds", &options->abilities.speeds},
        {"sizes", &options->abilities.data_sizes},
        {"windows", &options->abilities.windows},
        {"bofs", &options->abilities.extra_bofs},
        {"turnaround", &options->abilities.min_turnaround},
    };
    for (size_t at = 0; at < sizeof decimal / sizeof *decimal; at++) {
        if (strcmp(name, decimal[at].name) == 0) {
            *decimal[at].number = (unsigned)strtoul(value, NULL, 10);
            return true;
        }
    }
    for (size_t at = 0; at < sizeof hexadecimal / sizeof *hexadecimal; at++) {
        if (strcmp(name, hexadecimal[at].name) == 0) {
            *hexadecimal[at].bits = (uint8_t)strtoul(value, NULL, 16);
            return true;
        }
    }
    return false;
}

static bool set_other(struct options *options, const char *name, const char *value) {
    unsigned mask, control;
    struct medium_loss *loss = &options->losses[options->loss_count];
    if (strcmp(name, "file") == 0 && options->file_count < SEND_OPTIONS_FILES) {
        options->files[options->file_count++] = value;
    } else if (strcmp(name, "into") == 0) {
        options->into = value;
    } else if (strcmp(name, "log") == 0) {
        options->medium.log = fopen(value, "w");
    } else if (strcmp(name, "until") == 0) {
        options->until_s = atof(value);
    } else if (strcmp(name, "vanish") == 0) {
        options->vanish_s = atof(value);
    } else if (strcmp(name, "seed") == 0) {
        options->medium.seed = strtoull(value, NULL, 10);
    } else if (strcmp(name, "echo") == 0) {
        options->medium.echo = atoi(value) != 0;
    } else if (strcmp(name, "hold") == 0) {
        return sscanf(value, "%lf:%lf", &options->hold_s, &options->go_on_s) == 2;
    } else if (strcmp(name, "lose") == 0 && options->loss_count < MEDIUM_LOSSES &&
               sscanf(value, "%u:%x:%x:%u:%u", &loss->station, &mask, &control, &loss->skip,
                      &loss->count) == 5) {
        loss->mask = (uint8_t)mask;
        loss->value = (uint8_t)control;
        options->loss_count++;
    } else {
        return set_number(options, name, value);
    }
    return true;
}

bool read_options(struct options *options, int count, char **arguments) {
    *options = defaults;
    for (int at = 1; at < count; at++) {
        char *value = strchr(arguments[at], '=');
        if (value == NULL) {
            value = arguments[at] + strlen(arguments[at]);
        } else {
            *value++ = 0;
        }
        if (!set_other(options, arguments[at], value)) {
            fprintf(stderr, "send_host: not an option here: %s=%s\n", arguments[at], value);
            return false;
        }
    }
    return true;
}
