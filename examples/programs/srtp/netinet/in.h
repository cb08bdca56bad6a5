/* The order of bytes on a line, all that libsrtp takes of sockets. */
#define htonl(value) __builtin_bswap32(value)
#define ntohl(value) __builtin_bswap32(value)
#define htons(value) __builtin_bswap16(value)
#define ntohs(value) __builtin_bswap16(value)
