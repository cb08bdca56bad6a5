/* Reads the replies of a database as they come over a line, piece by piece, and writes a line for
 * each.   replies INPUT SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"
#include "sds.h"

typedef struct {
    int type, count;
    long long number;
    char *text;
    void **parts;
} reply_t;

static unsigned long made, freed;

static void *keep(const redisReadTask *task, reply_t *reply) {
    reply->type = task->type;
    made++;
    if (task->parent)
        ((reply_t *)task->parent->obj)->parts[task->idx] = reply;
    return reply;
}

static void *text(const redisReadTask *task, char *from, size_t size) {
    reply_t *reply = calloc(1, sizeof *reply);
    reply->text = malloc(size + 1);
    memcpy(reply->text, from, size);
    reply->text[size] = 0;
    return keep(task, reply);
}

static void *array(const redisReadTask *task, int count) {
    reply_t *reply = calloc(1, sizeof *reply);
    reply->count = count;
    reply->parts = calloc((size_t)count + 1, sizeof *reply->parts);
    return keep(task, reply);
}

static void *integer(const redisReadTask *task, long long number) {
    reply_t *reply = calloc(1, sizeof *reply);
    reply->number = number;
    return keep(task, reply);
}

/* The task says of which type it was to be. */
static void *nil(const redisReadTask *task) {
    reply_t *reply = keep(task, calloc(1, sizeof *reply));
    reply->type = REDIS_REPLY_NIL;
    return reply;
}

static void discard(void *given) {
    reply_t *reply = given;
    if (!reply)
        return;
    for (int i = 0; i < reply->count; i++)
        discard(reply->parts[i]);
    free(reply->parts);
    free(reply->text);
    free(reply);
    freed++;
}

static redisReplyObjectFunctions functions = {text, array, integer, nil, discard};

static sds described(sds line, const reply_t *reply) {
    switch (reply->type) {
    case REDIS_REPLY_STRING:
        return sdscatrepr(line, reply->text, strlen(reply->text));
    case REDIS_REPLY_STATUS:
        return sdscatfmt(line, "+%s", reply->text);
    case REDIS_REPLY_ERROR:
        return sdscatfmt(line, "-%s", reply->text);
    case REDIS_REPLY_INTEGER:
        return sdscatfmt(line, "%I", reply->number);
    case REDIS_REPLY_NIL:
        return sdscat(line, "nil");
    }
    line = sdscat(line, "[");
    for (int i = 0; i < reply->count; i++) {
        line = described(line, reply->parts[i]);
        line = sdscat(line, i + 1 < reply->count ? " " : "");
    }
    return sdscat(line, "]");
}

int main(int argc, char **argv) {
    char piece[256];
    unsigned replies = 0;
    size_t got;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "w");
    uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 10);
    redisReader *reader = redisReaderCreateWithFunctions(&functions);
    if (!input || !output || !reader)
        return 1;
    do {
        seed = seed * 1664525u + 1013904223u;
        got = fread(piece, 1, 1 + (seed >> 24), input);
        if (redisReaderFeed(reader, piece, got) != REDIS_OK)
            return 1;
        for (void *reply;;) {
            if (redisReaderGetReply(reader, &reply) != REDIS_OK) {
                puts(reader->errstr);
                return 1;
            }
            if (!reply)
                break;
            sds line = described(sdsempty(), reply);
            fprintf(output, "%u %s\n", ++replies, line);
            sdsfree(line);
            discard(reply);
        }
    } while (got);
    printf("%u replies, %lu objects, %lu kept\n", replies, made, made - freed);
    redisReaderFree(reader);
    fclose(input);
    return fclose(output) != 0;
}
