/* Compresses the heads of requests for HTTP/2 and reads them again. The three of RFC 7541, appendix
 * C.4, come first, then those of a file with one table.   headers REQUESTS TABLE_BYTES OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nghttp2/nghttp2.h"

#define MOST 24
#define COUNT(table) (sizeof(table) / sizeof *(table))

#define FIELD(name, value)                                                          \
    {                                                                               \
        (uint8_t *)(name), (uint8_t *)(value), sizeof(name) - 1, sizeof(value) - 1, \
            NGHTTP2_NV_FLAG_NONE                                                    \
    }

typedef struct {
    nghttp2_hd_deflater *deflater;
    nghttp2_hd_inflater *inflater;
    unsigned long plain, packed, fields, wrong;
} link_t;

static uint8_t block[1024];

/* A board has no network, so its C library has none of these. */
uint32_t htonl(uint32_t value) {
    return value >> 24 | (value >> 8 & 0xFF00) | (value & 0xFF00) << 8 | value << 24;
}

uint32_t ntohl(uint32_t value) {
    return htonl(value);
}

uint16_t htons(uint16_t value) {
    return (uint16_t)(value >> 8 | value << 8);
}

uint16_t ntohs(uint16_t value) {
    return htons(value);
}

/* Reads a block again; its fields have to be those that went in. */
static void check(link_t *link, const nghttp2_nv *fields, size_t count, size_t size) {
    const uint8_t *at = block;
    size_t found = 0;
    for (;;) {
        nghttp2_nv one;
        int flags = 0;
        ssize_t read = nghttp2_hd_inflate_hd2(link->inflater, &one, &flags, at, size, 1);
        if (read < 0) {
            link->wrong++;
            break;
        }
        at += read;
        size -= (size_t)read;
        if (flags & NGHTTP2_HD_INFLATE_EMIT) {
            const nghttp2_nv *was = &fields[found++];
            if (found > count || one.namelen != was->namelen || one.valuelen != was->valuelen ||
                memcmp(one.name, was->name, one.namelen) != 0 ||
                memcmp(one.value, was->value, one.valuelen) != 0)
                link->wrong++;
        }
        if (flags & NGHTTP2_HD_INFLATE_FINAL) {
            nghttp2_hd_inflate_end_headers(link->inflater);
            break;
        }
        if (size == 0 && !(flags & NGHTTP2_HD_INFLATE_EMIT))
            break;
    }
    link->wrong += found != count;
}

static size_t send(link_t *link, const nghttp2_nv *fields, size_t count) {
    ssize_t size = nghttp2_hd_deflate_hd(link->deflater, block, sizeof block, fields, count);
    if (size < 0) {
        puts(nghttp2_strerror((int)size));
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < count; i++)
        link->plain += fields[i].namelen + fields[i].valuelen + 4;
    link->packed += (unsigned long)size;
    link->fields += count;
    check(link, fields, count, (size_t)size);
    return (size_t)size;
}

static int open_link(link_t *link, size_t table) {
    memset(link, 0, sizeof *link);
    if (nghttp2_hd_deflate_new(&link->deflater, table) || nghttp2_hd_inflate_new(&link->inflater))
        return -1;
    return nghttp2_hd_inflate_change_table_size(link->inflater, table);
}

static void close_link(link_t *link) {
    nghttp2_hd_deflate_del(link->deflater);
    nghttp2_hd_inflate_del(link->inflater);
}

static void put_hex(size_t size) {
    for (size_t i = 0; i < size; i++)
        printf("%02x", block[i]);
    putchar('\n');
}

static int of_rfc(void) {
    const nghttp2_nv first[] = {FIELD(":method", "GET"), FIELD(":scheme", "http"),
                                FIELD(":path", "/"), FIELD(":authority", "www.example.com")};
    const nghttp2_nv second[] = {FIELD(":method", "GET"), FIELD(":scheme", "http"),
                                 FIELD(":path", "/"), FIELD(":authority", "www.example.com"),
                                 FIELD("cache-control", "no-cache")};
    const nghttp2_nv third[] = {
        FIELD(":method", "GET"), FIELD(":scheme", "https"), FIELD(":path", "/index.html"),
        FIELD(":authority", "www.example.com"), FIELD("custom-key", "custom-value")};
    link_t link;
    if (open_link(&link, 4096))
        return 1;
    put_hex(send(&link, first, COUNT(first)));
    put_hex(send(&link, second, COUNT(second)));
    put_hex(send(&link, third, COUNT(third)));
    close_link(&link);
    return link.wrong != 0;
}

static void set(nghttp2_nv *field, char *name, char *value) {
    field->name = (uint8_t *)name;
    field->namelen = strlen(name);
    field->value = (uint8_t *)value;
    field->valuelen = strlen(value);
    field->flags =
        strcasecmp(name, "cookie") == 0 ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE;
}

int main(int argc, char **argv) {
    static char text[MOST][160];
    nghttp2_nv fields[MOST + 3];
    char line[160];
    size_t lines = 0;
    unsigned requests = 0;
    link_t link;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[3], "wb");
    if (!input || !output || of_rfc() || open_link(&link, strtoul(argv[2], NULL, 10)))
        return 1;
    while (fgets(line, sizeof line, input)) {
        line[strcspn(line, "\r\n")] = 0;
        if (*line && lines < MOST) {
            strcpy(text[lines++], line);
            continue;
        }
        char *rest, *method = lines ? strtok_r(text[0], " ", &rest) : NULL;
        char *path = method ? strtok_r(NULL, " ", &rest) : NULL;
        size_t count = 0;
        if (path && isupper((unsigned char)*method) && *path == '/') {
            set(&fields[count++], ":method", method);
            set(&fields[count++], ":scheme", "https");
            set(&fields[count++], ":path", path);
            for (size_t i = 1; i < lines; i++) {
                char *colon = strchr(text[i], ':');
                if (!colon)
                    continue;
                *colon = 0;
                for (char *p = text[i]; *p; p++)
                    *p = (char)tolower((unsigned char)*p);
                set(&fields[count++], text[i], colon + 1 + strspn(colon + 1, " "));
            }
            size_t size = send(&link, fields, count);
            fputc((int)(size >> 8), output);
            fputc((int)(size & 255), output);
            fwrite(block, 1, size, output);
            requests++;
        }
        lines = 0;
    }
    printf("%u requests, %lu fields, %lu bytes of %lu, %lu wrong\n", requests, link.fields,
           link.packed, link.plain, link.wrong);
    close_link(&link);
    fclose(input);
    return fclose(output) != 0;
}
