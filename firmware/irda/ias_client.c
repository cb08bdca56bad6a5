#include <string.h>

#include "ias.h"

enum { GET_VALUE_BY_CLASS = 4, LAST = 0x80 };

static uint32_t number(const uint8_t *octets, unsigned count) {
    uint32_t value = 0;
    for (unsigned at = 0; at < count; at++) {
        value = value << 8 | octets[at];
    }
    return value;
}

static void finish(struct ias_client *client, enum ias_result result,
                   const struct ias_value *value) {
    lmp_disconnect(&client->lsap, LMP_USER_REQUEST);
    client->answered(client->context, result, value);
}

static uint8_t *put_name(uint8_t *at, const char *name) {
    size_t count = strlen(name);
    *at = (uint8_t)count;
    memcpy(at + 1, name, count);
    return at + 1 + count;
}

static void ask(void *context) {
    struct ias_client *client = context;
    size_t capacity;
    uint8_t *octets = client->was_asked ? NULL : lmp_reserve(&client->lsap, &capacity);
    if (octets == NULL) {
        return;
    }
    if (3 + strlen(client->class_name) + strlen(client->attribute) > capacity) {
        finish(client, IAS_TOO_LONG, NULL);
        return;
    }
    client->was_asked = true;
    octets[0] = LAST | GET_VALUE_BY_CLASS;
    uint8_t *end = put_name(put_name(octets + 1, client->class_name), client->attribute);
    lmp_commit(&client->lsap, (size_t)(end - octets));
}

// Reads the first value of an answer with success; false if it is malformed.
static bool read_value(struct ias_value *value, const uint8_t *octets, size_t count) {
    if (count < 7 || number(octets + 2, 2) == 0) {
        return false;
    }
    value->type = (enum ias_type)octets[6];
    value->octets = octets + 9;
    switch (value->type) {
    case IAS_INTEGER:
        value->integer = count < 11 ? 0 : (int32_t)number(octets + 7, 4);
        return count >= 11;
    case IAS_OCTETS:
        value->count = count < 9 ? 0 : number(octets + 7, 2);
        return count >= 9 + value->count;
    case IAS_STRING:
        value->count = count < 9 ? 0 : octets[8];
        return count >= 9 + value->count;
    default:
        return value->type == IAS_MISSING;
    }
}

static void answer_came(void *context, const uint8_t *octets, size_t count) {
    struct ias_client *client = context;
    struct ias_value value = {IAS_MISSING, 0, NULL, 0};
    if (!client->was_asked || count < 2 || octets[0] != (LAST | GET_VALUE_BY_CLASS)) {
        finish(client, IAS_WRONG_ANSWER, NULL);
    } else if (octets[1] != IAS_SUCCESS) {
        finish(client, (enum ias_result)octets[1], NULL);
    } else if (!read_value(&value, octets, count)) {
        finish(client, IAS_WRONG_ANSWER, NULL);
    } else {
        finish(client, IAS_SUCCESS, &value);
    }
}

static void connected(void *context, const uint8_t *octets, size_t count) {
    (void)octets;
    (void)count;
    ask(context);
}

static void disconnected(void *context, enum lmp_reason reason) {
    struct ias_client *client = context;
    (void)reason;
    client->answered(client->context, IAS_NO_ANSWER, NULL);
}

static const struct lmp_user user = {NULL, connected, disconnected, answer_came, ask};

void ias_client_init(struct ias_client *client, struct lmp *lmp,
                     void (*answered)(void *context, enum ias_result result,
                                      const struct ias_value *value),
                     void *context) {
    client->answered = answered;
    client->context = context;
    lmp_add(lmp, &client->lsap, &user, client);
}

bool ias_ask(struct ias_client *client, uint32_t address, const char *class_name,
             const char *attribute) {
    client->class_name = class_name;
    client->attribute = attribute;
    client->was_asked = false;
    return lmp_connect(&client->lsap, address, IAS_SELECTOR, NULL, 0);
}
