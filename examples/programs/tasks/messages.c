/* A server of FreeRTOS answers requests of three clients by their own queues: it keeps numbers by
 * key in a hash table.   messages REQUESTS OUTPUT: each line has a client, an action and a key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

enum { CLIENTS = 3, SLOTS = 128, LINES = 1200, STACK_WORDS = 2048 };
enum action { ADD = 'a', FIND = 'f', DROP = 'd' };

struct request {
    int client, action;
    unsigned key;
};

static QueueHandle_t requests, answers[CLIENTS], finished;
static struct request lines[LINES];
static int line_count;

static struct entry { unsigned key, count; } table[SLOTS];

static unsigned *slot_of(unsigned key) {
    unsigned at = key * 2654435761u >> 25;
    while (table[at].key != key && table[at].key != 0)
        at = (at + 1) % SLOTS;
    table[at].key = key;
    return &table[at].count;
}

static void serve(void *unused) {
    struct request request;
    (void)unused;
    for (;;) {
        xQueueReceive(requests, &request, portMAX_DELAY);
        unsigned *count = slot_of(request.key), answer = *count;
        if (request.action == ADD)
            answer = ++*count;
        if (request.action == DROP)
            *count = 0;
        xQueueSend(answers[request.client], &answer, portMAX_DELAY);
    }
}

static unsigned sums[CLIENTS];

static void ask(void *number) {
    int client = (int)(size_t)number;
    unsigned answer;
    for (int i = 0; i < line_count; i++) {
        if (lines[i].client != client)
            continue;
        xQueueSend(requests, &lines[i], portMAX_DELAY);
        xQueueReceive(answers[client], &answer, portMAX_DELAY);
        sums[client] = sums[client] * 31 + (lines[i].action == FIND) * answer;
    }
    xQueueSend(finished, &client, portMAX_DELAY);
    vTaskDelete(NULL);
}

static FILE *output;

static int by_key(const void *one, const void *other) {
    const struct entry *a = one, *b = other;
    return (a->key > b->key) - (a->key < b->key);
}

static void collect(void *unused) {
    int client;
    (void)unused;
    for (int i = 0; i < CLIENTS; i++)
        xQueueReceive(finished, &client, portMAX_DELAY);
    qsort(table, SLOTS, sizeof *table, by_key);
    for (int i = 0; i < SLOTS; i++)
        if (table[i].count)
            fprintf(output, "%u %u\n", table[i].key, table[i].count);
    fclose(output);
    for (int i = 0; i < CLIENTS; i++)
        printf("client %d: %u\n", i, sums[i]);
    exit(0);
}

int main(int argc, char **argv) {
    char line[32];
    FILE *input;
    if (argc != 3 || (input = fopen(argv[1], "r")) == NULL ||
        (output = fopen(argv[2], "w")) == NULL)
        return 2;
    while (line_count < LINES && fgets(line, sizeof line, input)) {
        struct request *request = &lines[line_count];
        char action;
        if (sscanf(line, "%d %c %u", &request->client, &action, &request->key) == 3) {
            request->action = action;
            line_count++;
        }
    }
    fclose(input);
    requests = xQueueCreate(2, sizeof(struct request));
    finished = xQueueCreate(CLIENTS, sizeof(int));
    for (int i = 0; i < CLIENTS; i++) {
        answers[i] = xQueueCreate(1, sizeof(unsigned));
        xTaskCreate(ask, "ask", STACK_WORDS, (void *)(size_t)i, 2, NULL);
    }
    xTaskCreate(serve, "serve", STACK_WORDS, NULL, 3, NULL);
    xTaskCreate(collect, "collect", STACK_WORDS, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
