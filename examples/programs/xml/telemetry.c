/* Reads telemetry in XML by Expat and writes what each channel had as a table.
 * telemetry INPUT OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expat.h"

#define MAX_CHANNELS 24
#define MAX_DEPTH 8

typedef struct {
    char name[20], unit[8];
    unsigned count;
    double sum, lowest, highest;
} channel_t;

typedef struct {
    channel_t channels[MAX_CHANNELS];
    int used, current, depth, deepest;
    char text[64];
    size_t length;
    unsigned events, alarms;
} reader_t;

static const char *attribute(const XML_Char **pairs, const char *name) {
    for (; *pairs; pairs += 2)
        if (!strcmp(pairs[0], name))
            return pairs[1];
    return "";
}

static int channel_named(reader_t *r, const char *name, const char *unit) {
    int i;
    for (i = 0; i < r->used; i++)
        if (!strcmp(r->channels[i].name, name))
            return i;
    if (r->used == MAX_CHANNELS)
        return -1;
    snprintf(r->channels[i].name, sizeof r->channels[i].name, "%s", name);
    snprintf(r->channels[i].unit, sizeof r->channels[i].unit, "%s", unit);
    return r->used++;
}

static void XMLCALL on_start(void *data, const XML_Char *element, const XML_Char **attributes) {
    reader_t *r = data;
    if (++r->depth > r->deepest)
        r->deepest = r->depth;
    r->length = 0;
    if (!strcmp(element, "value"))
        r->current =
            channel_named(r, attribute(attributes, "channel"), attribute(attributes, "unit"));
    else if (!strcmp(element, "event"))
        r->events++;
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length) {
    reader_t *r = data;
    size_t room = sizeof r->text - 1 - r->length;
    size_t taken = (size_t)length < room ? (size_t)length : room;
    memcpy(r->text + r->length, text, taken);
    r->length += taken;
}

static void XMLCALL on_end(void *data, const XML_Char *element) {
    reader_t *r = data;
    r->text[r->length] = '\0';
    if (!strcmp(element, "value") && r->current >= 0) {
        channel_t *c = &r->channels[r->current];
        double value = strtod(r->text, NULL);
        if (c->count == 0 || value < c->lowest)
            c->lowest = value;
        if (c->count == 0 || value > c->highest)
            c->highest = value;
        c->sum += value;
        c->count++;
    } else if (!strcmp(element, "event") && strstr(r->text, "alarm"))
        r->alarms++;
    r->length = 0;
    r->depth--;
}

/* The C library prints no floating point here. */
static const char *hundredths(char text[16], double value) {
    long scaled = lround(100.0 * value);
    sprintf(text, "%s%ld.%02ld", scaled < 0 ? "-" : "", labs(scaled) / 100, labs(scaled) % 100);
    return text;
}

int main(int argc, char **argv) {
    static reader_t reader;
    static char buffer[512];
    int last;
    FILE *in, *out;
    XML_Parser parser = XML_ParserCreate(NULL);

    if (argc != 3 || !parser || !(in = fopen(argv[1], "r")) || !(out = fopen(argv[2], "w")))
        return 1;
    XML_SetHashSalt(parser, 20260101);
    XML_SetUserData(parser, &reader);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    do {
        size_t got = fread(buffer, 1, sizeof buffer, in);
        last = got < sizeof buffer;
        if (XML_Parse(parser, buffer, (int)got, last) == XML_STATUS_ERROR) {
            printf("line %u: %s\n", (unsigned)XML_GetCurrentLineNumber(parser),
                   XML_ErrorString(XML_GetErrorCode(parser)));
            return 1;
        }
    } while (!last);
    for (int i = 0; i < reader.used; i++) {
        channel_t *c = &reader.channels[i];
        char lowest[16], highest[16], mean[16];
        fprintf(out, "%-20s %5u %10s %10s %10s %s\n", c->name, c->count,
                hundredths(lowest, c->lowest), hundredths(highest, c->highest),
                hundredths(mean, c->sum / c->count), c->unit);
    }
    printf("%d channels, %u events, %u alarms, depth %d\n", reader.used, reader.events,
           reader.alarms, reader.deepest);
    XML_ParserFree(parser);
    fclose(in);
    return fclose(out) != 0;
}
