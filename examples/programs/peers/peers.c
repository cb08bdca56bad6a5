/* Two devices on a line that loses datagrams, doubles them and changes their order. One sends a
 * file by ENet in reliable packets, and its state in others.   peers INPUT LOST SEED OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enet/enet.h"
#include "enet/time.h"

#define DATAGRAMS 64
#define LONGEST 1500
#define PIECE 700

typedef struct {
    uint16_t length, to;
    uint32_t due;
    uint8_t data[LONGEST];
} datagram_t;

static datagram_t *line[DATAGRAMS];
static uint32_t now, seed;
static unsigned lost_in_100, sent, lost, doubled;
static int sockets;

static uint32_t draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 16;
}

int enet_initialize(void) {
    return 0;
}

void enet_deinitialize(void) {}

enet_uint32 enet_host_random_seed(void) {
    return 7;
}

enet_uint32 enet_time_get(void) {
    return now;
}

ENetSocket enet_socket_create(ENetSocketType type) {
    (void)type;
    return sockets++;
}

int enet_socket_bind(ENetSocket socket, const ENetAddress *address) {
    (void)socket;
    (void)address;
    return 0;
}

int enet_socket_get_address(ENetSocket socket, ENetAddress *address) {
    address->host = 1;
    address->port = (enet_uint16)(socket + 1);
    return 0;
}

int enet_socket_set_option(ENetSocket socket, ENetSocketOption option, int value) {
    (void)socket;
    (void)option;
    (void)value;
    return 0;
}

int enet_address_set_host_ip(ENetAddress *address, const char *name) {
    (void)name;
    address->host = 1;
    return 0;
}

void enet_socket_destroy(ENetSocket socket) {
    (void)socket;
}

static void enqueue(uint16_t to, const ENetBuffer *buffers, size_t count) {
    for (int i = 0; i < DATAGRAMS; i++) {
        if (line[i])
            continue;
        datagram_t *one = line[i] = malloc(sizeof *one);
        one->length = 0;
        one->to = to;
        one->due = now + 5 + draw() % 20;
        for (; count; count--, buffers++) {
            memcpy(one->data + one->length, buffers->data, buffers->dataLength);
            one->length = (uint16_t)(one->length + buffers->dataLength);
        }
        return;
    }
    lost++;
}

int enet_socket_send(ENetSocket socket, const ENetAddress *address, const ENetBuffer *buffers,
                     size_t count) {
    size_t length = 0;
    (void)socket;
    for (size_t i = 0; i < count; i++)
        length += buffers[i].dataLength;
    sent++;
    if (draw() % 100 < lost_in_100) {
        lost++;
        return (int)length;
    }
    enqueue((uint16_t)(address->port - 1), buffers, count);
    if (draw() % 25 == 0) {
        doubled++;
        enqueue((uint16_t)(address->port - 1), buffers, count);
    }
    return (int)length;
}

int enet_socket_receive(ENetSocket socket, ENetAddress *address, ENetBuffer *buffers,
                        size_t count) {
    (void)count;
    for (int i = 0; i < DATAGRAMS; i++) {
        datagram_t *one = line[i];
        if (!one || one->to != socket || (int32_t)(now - one->due) < 0)
            continue;
        int length = one->length;
        memcpy(buffers->data, one->data, (size_t)length);
        if (address) {
            address->host = 1;
            address->port = (enet_uint16)(socket == 0 ? 2 : 1);
        }
        line[i] = NULL;
        free(one);
        return length;
    }
    return 0;
}

int enet_socket_wait(ENetSocket socket, enet_uint32 *condition, enet_uint32 timeout) {
    (void)socket;
    (void)timeout;
    *condition = ENET_SOCKET_WAIT_NONE;
    return 0;
}

int main(int argc, char **argv) {
    static uint8_t piece[PIECE];
    ENetAddress here = {1, 1};
    ENetEvent event;
    unsigned states = 0, last = 0, orderly = 1, pieces = 0, closed = 0;
    size_t size, received = 0;
    if (argc != 5)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[4], "wb");
    lost_in_100 = (unsigned)atoi(argv[2]);
    seed = (uint32_t)strtoul(argv[3], NULL, 10);
    ENetHost *server = enet_host_create(&here, 2, 2, 0, 0);
    ENetHost *client = enet_host_create(NULL, 1, 2, 0, 0);
    if (!input || !output || !server || !client)
        return 1;
    server->randomSeed = 11;
    client->randomSeed = 12;
    enet_host_compress_with_range_coder(server);
    enet_host_compress_with_range_coder(client);
    ENetPeer *peer = enet_host_connect(client, &here, 2, 0);
    int at_end = 0, up = 0;
    while (!closed && now < 600000) {
        now += 10;
        while (enet_host_service(client, &event, 0) > 0) {
            if (event.type == ENET_EVENT_TYPE_CONNECT)
                up = 1;
            if (event.type == ENET_EVENT_TYPE_DISCONNECT)
                closed = 1;
        }
        if (up && !at_end && now % 20 == 0) {
            uint32_t state[2] = {now, pieces};
            enet_peer_send(peer, 1, enet_packet_create(state, sizeof state, 0));
            size = fread(piece, 1, PIECE, input);
            if (size)
                enet_peer_send(peer, 0, enet_packet_create(piece, size, ENET_PACKET_FLAG_RELIABLE));
            pieces += size > 0;
            if (size < PIECE) {
                at_end = 1;
                enet_peer_disconnect_later(peer, 0);
            }
        }
        while (enet_host_service(server, &event, 0) > 0)
            if (event.type == ENET_EVENT_TYPE_RECEIVE) {
                if (event.channelID == 0)
                    received += fwrite(event.packet->data, 1, event.packet->dataLength, output);
                else {
                    uint32_t state[2];
                    memcpy(state, event.packet->data, sizeof state);
                    orderly &= state[0] > last;
                    last = state[0];
                    states++;
                }
                enet_packet_destroy(event.packet);
            }
    }
    printf("%lu bytes in %u pieces, %u states%s, %u ms\n", (unsigned long)received, pieces, states,
           orderly ? "" : " out of order", (unsigned)now);
    printf("%u datagrams, %u lost, %u doubled\n", sent, lost, doubled);
    enet_host_destroy(client);
    enet_host_destroy(server);
    fclose(input);
    return fclose(output) != 0 || !closed;
}
