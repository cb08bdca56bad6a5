/* Sockets of ENet for a board: two devices on one line, which peers.c makes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

typedef int ENetSocket;

#define ENET_SOCKET_NULL (-1)
#define ENET_HOST_TO_NET_16(value) __builtin_bswap16(value)
#define ENET_HOST_TO_NET_32(value) __builtin_bswap32(value)
#define ENET_NET_TO_HOST_16(value) __builtin_bswap16(value)
#define ENET_NET_TO_HOST_32(value) __builtin_bswap32(value)
#define ENET_CALLBACK
#define ENET_API extern

typedef struct {
    void *data;
    size_t dataLength;
} ENetBuffer;

typedef fd_set ENetSocketSet;
