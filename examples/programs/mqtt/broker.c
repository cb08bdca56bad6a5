/* A broker of MQTT 3.1.1 under FreeRTOS: clients subscribe and publish packets through queues, the
 * broker matches topics with + and #, keeps retained messages, and delivers.
 * broker MESSAGES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#define CLIENTS 3
#define PACKET 96
#define STACK_WORDS 1024

enum { CONNECT = 1, PUBLISH = 3, SUBSCRIBE = 8, DISCONNECT = 14 };

typedef struct {
    uint8_t client, length;
    uint8_t bytes[PACKET];
} packet_t;

typedef struct subscription {
    struct subscription *next;
    uint8_t client, quality;
    char filter[];
} subscription_t;

typedef struct retained {
    struct retained *next;
    char *topic;
    uint8_t length, payload[40];
} retained_t;

static QueueHandle_t to_broker, to_client[CLIENTS];
static EventGroupHandle_t finished;
static SemaphoreHandle_t printing, turn[CLIENTS]; /* They publish in turn. */
static subscription_t *subscriptions;
static retained_t *kept;
static int each;
static unsigned delivered, malformed;
static FILE *output;

static uint8_t *put_text(uint8_t *to, const char *text) {
    size_t length = strlen(text);
    *to++ = (uint8_t)(length >> 8);
    *to++ = (uint8_t)length;
    memcpy(to, text, length);
    return to + length;
}

static uint8_t *put_remaining(uint8_t *to, size_t length) {
    do {
        uint8_t byte = length & 127;
        length >>= 7;
        *to++ = length ? byte | 128 : byte;
    } while (length);
    return to;
}

static void send(QueueHandle_t queue, int client, int type, const uint8_t *body, size_t length) {
    packet_t packet = {.client = (uint8_t)client};
    uint8_t *at = packet.bytes;
    *at++ = (uint8_t)type;
    at = put_remaining(at, length);
    if (length)
        memcpy(at, body, length);
    packet.length = (uint8_t)(at + length - packet.bytes);
    xQueueSend(queue, &packet, portMAX_DELAY);
}

static void subscribe(int client, const char *filter) {
    uint8_t body[PACKET], *at = body;
    *at++ = 0;
    *at++ = (uint8_t)client + 1;
    at = put_text(at, filter);
    *at++ = 0;
    send(to_broker, client, SUBSCRIBE << 4 | 2, body, (size_t)(at - body));
}

static void publish(int client, const char *topic, const char *payload, int retain) {
    uint8_t body[PACKET], *at = put_text(body, topic);
    memcpy(at, payload, strlen(payload));
    at += strlen(payload);
    send(to_broker, client, PUBLISH << 4 | retain, body, (size_t)(at - body));
}

static void client(void *number) {
    static const char *const FILTERS[CLIENTS] = {"house/+/temperature", "house/#",
                                                 "garden/pump/state"};
    static const char *const ROOMS[] = {"kitchen", "bath", "hall", "attic", "cellar"};
    static const char *const KINDS[] = {"temperature", "light", "door"};
    int me = (int)(intptr_t)number;
    uint32_t seed = 100 + (uint32_t)me, heard = 0;
    char topic[48], payload[24];
    packet_t packet;
    xSemaphoreTake(turn[me], portMAX_DELAY);
    send(to_broker, me, CONNECT << 4, (const uint8_t *)"\0\4MQTT\4\2\0\60\0\0", 12);
    subscribe(me, FILTERS[me]);
    xSemaphoreGive(turn[(me + 1) % CLIENTS]);
    for (int i = 0; i < each; i++) {
        xSemaphoreTake(turn[me], portMAX_DELAY);
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 29 == 0)
            strcpy(topic, "garden/pump/state");
        else
            snprintf(topic, sizeof topic, "house/%s/%s", ROOMS[(seed >> 20) % 5],
                     KINDS[(seed >> 12) % 3]);
        snprintf(payload, sizeof payload, "%d.%u", (int)(seed >> 26) - 10,
                 (unsigned)(seed >> 16) % 10);
        publish(me, topic, payload, i % 8 == 0);
        while (xQueueReceive(to_client[me], &packet, 0) == pdTRUE)
            heard += packet.length;
        xSemaphoreGive(turn[(me + 1) % CLIENTS]);
    }
    xSemaphoreTake(turn[me], portMAX_DELAY);
    send(to_broker, me, DISCONNECT << 4, NULL, 0);
    xSemaphoreGive(turn[(me + 1) % CLIENTS]);
    while (xQueueReceive(to_client[me], &packet, portMAX_DELAY) == pdTRUE && packet.length)
        heard += packet.length;
    xSemaphoreTake(turn[me], portMAX_DELAY);
    xSemaphoreTake(printing, portMAX_DELAY);
    fprintf(output, "client %d heard %u bytes\n", me, (unsigned)heard);
    xSemaphoreGive(printing);
    xSemaphoreGive(turn[(me + 1) % CLIENTS]);
    xEventGroupSetBits(finished, 1u << me);
    vTaskDelete(NULL);
}

static int matches(const char *filter, const char *topic) {
    for (;;) {
        if (*filter == '#')
            return 1;
        if (*filter == '+') {
            while (*topic && *topic != '/')
                topic++;
            filter++;
        } else {
            while (*filter && *filter != '/' && *filter == *topic) {
                filter++;
                topic++;
            }
        }
        if (!*filter && !*topic)
            return 1;
        if (*filter != '/' || *topic != '/')
            return 0;
        filter++;
        topic++;
    }
}

static size_t get_text(const uint8_t *at, const uint8_t *end, char *to, size_t room) {
    if (end - at < 2)
        return 0;
    size_t length = (size_t)(at[0] << 8 | at[1]);
    if (length >= room || length > (size_t)(end - at - 2))
        return 0;
    memcpy(to, at + 2, length);
    to[length] = 0;
    return length + 2;
}

static void deliver(const char *topic, const uint8_t *payload, size_t length, const char *only,
                    int to) {
    uint8_t body[PACKET], *at = put_text(body, topic);
    memcpy(at, payload, length);
    for (const subscription_t *s = subscriptions; s; s = s->next) {
        if (only ? (s->client != to || strcmp(s->filter, only)) : !matches(s->filter, topic))
            continue;
        send(to_client[s->client], s->client, PUBLISH << 4, body, (size_t)(at - body) + length);
        delivered++;
    }
}

static void on_publish(const uint8_t *at, const uint8_t *end, int retain) {
    char topic[64];
    size_t used = get_text(at, end, topic, sizeof topic);
    if (!used || end - at - (long)used > 40) {
        malformed++;
        return;
    }
    at += used;
    size_t length = (size_t)(end - at);
    deliver(topic, at, length, NULL, 0);
    if (!retain)
        return;
    retained_t *one = kept;
    while (one && strcmp(one->topic, topic))
        one = one->next;
    if (!one) {
        one = malloc(sizeof *one);
        one->topic = malloc(strlen(topic) + 1);
        strcpy(one->topic, topic);
        one->next = kept;
        kept = one;
    }
    one->length = (uint8_t)length;
    memcpy(one->payload, at, length);
}

static void on_subscribe(int from, const uint8_t *at, const uint8_t *end) {
    char filter[64];
    size_t used = get_text(at + 2, end, filter, sizeof filter);
    if (!used) {
        malformed++;
        return;
    }
    subscription_t *one = malloc(sizeof *one + strlen(filter) + 1);
    one->client = (uint8_t)from;
    one->quality = at[2 + used];
    strcpy(one->filter, filter);
    one->next = subscriptions;
    subscriptions = one;
    for (const retained_t *r = kept; r; r = r->next)
        if (matches(filter, r->topic))
            deliver(r->topic, r->payload, r->length, filter, from);
}

static void broker(void *unused) {
    packet_t packet;
    int connected = 0, gone = 0;
    (void)unused;
    while (gone < CLIENTS) {
        size_t length = 0;
        int shift = 0, byte;
        xQueueReceive(to_broker, &packet, portMAX_DELAY);
        const uint8_t *at = packet.bytes + 1;
        do {
            byte = *at++;
            length |= (size_t)(byte & 127) << shift;
            shift += 7;
        } while (byte & 128);
        const uint8_t *end = at + length;
        switch (packet.bytes[0] >> 4) {
        case CONNECT:
            connected += memcmp(at, "\0\4MQTT\4", 7) == 0;
            break;
        case PUBLISH:
            on_publish(at, end, packet.bytes[0] & 1);
            break;
        case SUBSCRIBE:
            on_subscribe(packet.client, at, end);
            break;
        case DISCONNECT:
            gone++;
            break;
        default:
            malformed++;
        }
    }
    packet.length = 0;
    for (int i = 0; i < CLIENTS; i++)
        xQueueSend(to_client[i], &packet, portMAX_DELAY);
    xEventGroupWaitBits(finished, (1u << CLIENTS) - 1, pdFALSE, pdTRUE, portMAX_DELAY);
    for (const retained_t *r = kept; r; r = r->next)
        fprintf(output, "%s %.*s\n", r->topic, r->length, (const char *)r->payload);
    printf("%d clients, %u delivered, %u malformed\n", connected, delivered, malformed);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 3 || !(output = fopen(argv[2], "w")))
        return 2;
    each = atoi(argv[1]) / CLIENTS;
    to_broker = xQueueCreate(2, sizeof(packet_t));
    finished = xEventGroupCreate();
    printing = xSemaphoreCreateMutex();
    for (int i = 0; i < CLIENTS; i++) {
        turn[i] = xSemaphoreCreateBinary();
        to_client[i] = xQueueCreate(12, sizeof(packet_t));
        xTaskCreate(client, "client", STACK_WORDS, (void *)(intptr_t)i, 2, NULL);
    }
    xSemaphoreGive(turn[0]);
    xTaskCreate(broker, "broker", STACK_WORDS, NULL, 3, NULL);
    vTaskStartScheduler();
    return 1;
}
