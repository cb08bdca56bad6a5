#include <string.h>

#include "ias.h"

enum { GET_VALUE_BY_CLASS = 4, LAST = 0x80, OPERATION = 0x3F, ASCII = 0 };

// True if octets with their length before them are this name.
static bool is_name(const uint8_t *counted, const char *name) {
    return strlen(name) == counted[0] && memcmp(counted + 1, name, counted[0]) == 0;
}

static void look_up(struct ias_server *server, const uint8_t *class_name,
                    const uint8_t *attribute) {
    server->result = IAS_NO_CLASS;
    for (size_t index = 0; index < server->count; index++) {
        const struct ias_attribute *one = &server->attributes[index];
        if (is_name(class_name, one->class_name)) {
            server->result = IAS_NO_ATTRIBUTE;
            if (is_name(attribute, one->name)) {
                server->result = IAS_SUCCESS;
                server->index = (uint16_t)index;
                return;
            }
        }
    }
}

static size_t value_octets(const struct ias_value *value) {
    switch (value->type) {
    case IAS_INTEGER:
        return 4;
    case IAS_OCTETS:
    case IAS_STRING:
        return 2 + value->count;
    default:
        return 0;
    }
}

static uint8_t *put_number(uint8_t *at, uint32_t value, unsigned octets) {
    for (unsigned left = octets; left > 0; left--) {
        *at++ = (uint8_t)(value >> (8 * (left - 1)));
    }
    return at;
}

static size_t write_value(uint8_t *octets, const struct ias_attribute *one) {
    const struct ias_value *value = &one->value;
    uint8_t *at = put_number(octets, 1, 2); // values
    at = put_number(at, one->object, 2);
    *at++ = (uint8_t)value->type;
    if (value->type == IAS_INTEGER) {
        at = put_number(at, (uint32_t)value->integer, 4);
    } else if (value->type == IAS_OCTETS) {
        at = put_number(at, (uint32_t)value->count, 2);
    } else if (value->type == IAS_STRING) {
        *at++ = ASCII;
        *at++ = (uint8_t)value->count;
    }
    if (value->type == IAS_OCTETS || value->type == IAS_STRING) {
        memcpy(at, value->octets, value->count);
        at += value->count;
    }
    return (size_t)(at - octets);
}

static void answer(void *context) {
    struct ias_server *server = context;
    size_t capacity;
    uint8_t *octets = server->has_answer ? lmp_reserve(&server->lsap, &capacity) : NULL;
    if (octets == NULL) {
        return;
    }
    const struct ias_attribute *one = &server->attributes[server->index];
    if (server->result == IAS_SUCCESS && 7 + value_octets(&one->value) > capacity) {
        server->result = IAS_TOO_LONG;
    }
    octets[0] = LAST | GET_VALUE_BY_CLASS;
    octets[1] = server->result;
    size_t count = 2;
    if (server->result == IAS_SUCCESS) {
        count += write_value(octets + count, one);
    }
    server->has_answer = false;
    lmp_commit(&server->lsap, count);
}

static void question_came(void *context, const uint8_t *octets, size_t count) {
    struct ias_server *server = context;
    if (count < 1 || server->has_answer) {
        return;
    }
    if (octets[0] != (LAST | GET_VALUE_BY_CLASS)) {
        server->result = IAS_UNSUPPORTED;
    } else if (count < 2 || count < 3u + octets[1] ||
               count < 3u + octets[1] + octets[2u + octets[1]]) {
        return; // cut off
    } else {
        look_up(server, octets + 1, octets + 2 + octets[1]);
    }
    server->has_answer = true;
    answer(server);
}

static void asked(void *context, const uint8_t *octets, size_t count) {
    struct ias_server *server = context;
    (void)octets;
    (void)count;
    server->has_answer = false;
    lmp_accept(&server->lsap, NULL, 0);
}

static void disconnected(void *context, enum lmp_reason reason) {
    struct ias_server *server = context;
    (void)reason;
    lmp_listen(&server->lsap, IAS_SELECTOR);
}

static const struct lmp_user user = {asked, NULL, disconnected, question_came, answer};

void ias_serve(struct ias_server *server, struct lmp *lmp, const struct ias_attribute *attributes,
               size_t count) {
    server->attributes = attributes;
    server->count = count;
    server->has_answer = false;
    lmp_add(lmp, &server->lsap, &user, server);
    lmp_listen(&server->lsap, IAS_SELECTOR);
}
