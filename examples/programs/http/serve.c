/* Reads requests as they would come over a line, in packets, and answers each.
 * serve INPUT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "picohttpparser.h"

#define MAX_HEADERS 16
#define PACKET 128

struct resource {
    const char *path;
    char body[48];
    size_t length;
    unsigned reads, writes;
} resources[] = {
    {.path = "/", .body = "index"},
    {.path = "/led"},
    {.path = "/relay"},
    {.path = "/temperature"},
    {.path = "/config/network"},
    {.path = "/config/name"},
};

enum { RESOURCES = sizeof resources / sizeof resources[0] };

static int equals(const char *text, size_t length, const char *name) {
    return length == strlen(name) && !strncmp(text, name, length);
}

static int equals_anyhow(const char *text, size_t length, const char *name) {
    for (; length && *name; text++, name++, length--)
        if (tolower((unsigned char)*text) != *name)
            return 0;
    return length == 0 && *name == '\0';
}

static size_t content_length(const struct phr_header *headers, size_t count, int *keep) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (equals_anyhow(headers[i].name, headers[i].name_len, "content-length"))
            length = strtoul(headers[i].value, NULL, 10);
        if (equals_anyhow(headers[i].name, headers[i].name_len, "connection"))
            *keep = !equals_anyhow(headers[i].value, headers[i].value_len, "close");
    }
    return length;
}

static struct resource *find(const char *path, size_t length) {
    const char *query = memchr(path, '?', length);
    if (query)
        length = (size_t)(query - path);
    for (int i = 0; i < RESOURCES; i++)
        if (equals(path, length, resources[i].path))
            return &resources[i];
    return NULL;
}

static void answer(FILE *out, int status, const char *body, size_t length, int keep) {
    const char *reason = status == 200   ? "OK"
                         : status == 204 ? "No Content"
                         : status == 404 ? "Not Found"
                         : status == 413 ? "Too Large"
                                         : "Not Allowed";
    fprintf(out, "HTTP/1.1 %d %s\r\nContent-Length: %u\r\n%s\r\n", status, reason, (unsigned)length,
            keep ? "" : "Connection: close\r\n");
    fwrite(body, 1, length, out);
}

static int handle(FILE *out, const char *method, size_t method_length, const char *path,
                  size_t path_length, const char *body, size_t body_length, int keep) {
    struct resource *resource = find(path, path_length);
    int status = 405;
    if (!resource)
        status = 404;
    else if (equals(method, method_length, "GET")) {
        resource->reads++;
        answer(out, 200, resource->body, resource->length, keep);
        return 200;
    } else if (equals(method, method_length, "PUT")) {
        status = 413;
        if (body_length < sizeof resource->body) {
            memcpy(resource->body, body, body_length);
            resource->length = body_length;
            resource->writes++;
            status = 204;
        }
    }
    answer(out, status, "", 0, keep);
    return status;
}

int main(int argc, char **argv) {
    static char buffer[2048];
    static unsigned by_class[6];
    size_t filled = 0, before = 0, got;
    unsigned partial = 0, bad = 0;
    if (argc != 3)
        return 2;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out)
        return 1;
    while ((got = fread(buffer + filled, 1, PACKET, in)) > 0) {
        filled += got;
        for (;;) {
            struct phr_header headers[MAX_HEADERS];
            const char *method, *path;
            size_t method_length, path_length, count = MAX_HEADERS;
            int minor, keep = 1;
            int used = phr_parse_request(buffer, filled, &method, &method_length, &path,
                                         &path_length, &minor, headers, &count, before);
            if (used == -1) {
                /* A line that is no request is left out. */
                char *end = memchr(buffer, '\n', filled);
                used = end ? (int)(end + 1 - buffer) : (int)filled;
                bad++;
            } else if (used == -2) {
                partial++;
                before = filled;
                break;
            } else {
                size_t length = content_length(headers, count, &keep);
                if ((size_t)used + length > filled) {
                    before = 0;
                    break;
                }
                int status = handle(out, method, method_length, path, path_length, buffer + used,
                                    length, keep);
                by_class[status / 100]++;
                used += (int)length;
            }
            filled -= (size_t)used;
            memmove(buffer, buffer + used, filled);
            before = 0;
            if (filled == 0)
                break;
        }
        if (filled + PACKET > sizeof buffer)
            filled = 0;
    }
    for (int i = 0; i < RESOURCES; i++)
        printf("%-16s %4u reads %4u writes: %.*s\n", resources[i].path, resources[i].reads,
               resources[i].writes, (int)resources[i].length, resources[i].body);
    printf("%u done, %u refused, %u partial, %u bad\n", by_class[2], by_class[4], partial, bad);
    fclose(in);
    return fclose(out) != 0;
}
