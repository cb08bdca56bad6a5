#include <string.h>

#include "ias.h"

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

// Octets of the question behind the control octet of each frame.
static size_t write_question(const struct ias_client *client, uint8_t *octets) {
    return (size_t)(put_name(put_name(octets, client->class_name), client->attribute) - octets);
}

static void send_question(struct ias_client *client, uint8_t *octets, size_t capacity) {
    uint8_t question[2 * (1 + IAS_NAME_OCTETS)];
    size_t left = write_question(client, question) - client->asked;
    size_t count = left < capacity - 1 ? left : capacity - 1;
    octets[0] = (uint8_t)((count == left ? IAS_LAST : 0) | IAS_GET_VALUE_BY_CLASS);
    memcpy(octets + 1, question + client->asked, count);
    client->asked = (uint8_t)(client->asked + count);
    client->may_ask = false;
    lmp_commit(&client->lsap, count + 1);
}

// Sends what waits: a frame of the question, or an acknowledgement.
static void ask(void *context) {
    struct ias_client *client = context;
    size_t capacity;
    bool waits = client->may_ask || client->acknowledges;
    uint8_t *octets = waits ? lmp_reserve(&client->lsap, &capacity) : NULL;
    if (octets == NULL) {
        return;
    }
    if (client->may_ask) {
        send_question(client, octets, capacity);
    } else {
        client->acknowledges = false;
        octets[0] = IAS_LAST | IAS_ACKNOWLEDGE | IAS_GET_VALUE_BY_CLASS;
        lmp_commit(&client->lsap, 1);
    }
}

// Reads the first value of an answer with success, from its result on; false if it is malformed.
static bool read_value(struct ias_value *value, const uint8_t *octets, size_t count) {
    if (count < 6 || number(octets + 1, 2) == 0) {
        return false;
    }
    value->type = (enum ias_type)octets[5];
    value->octets = octets + 8;
    switch (value->type) {
    case IAS_INTEGER:
        value->integer = count < 10 ? 0 : (int32_t)number(octets + 6, 4);
        return count >= 10;
    case IAS_OCTETS:
        value->count = count < 8 ? 0 : number(octets + 6, 2);
        return count >= 8 + value->count;
    case IAS_STRING:
        value->count = count < 8 ? 0 : octets[7];
        return count >= 8 + value->count;
    default:
        return value->type == IAS_MISSING;
    }
}

static void read_answer(struct ias_client *client) {
    struct ias_value value = {IAS_MISSING, 0, NULL, 0};
    if (client->answer_octets == 0) {
        finish(client, IAS_WRONG_ANSWER, NULL);
    } else if (client->answer[0] != IAS_SUCCESS) {
        finish(client, (enum ias_result)client->answer[0], NULL);
    } else if (!read_value(&value, client->answer, client->answer_octets)) {
        finish(client, IAS_WRONG_ANSWER, NULL);
    } else {
        finish(client, IAS_SUCCESS, &value);
    }
}

static void answer_came(void *context, const uint8_t *octets, size_t count) {
    struct ias_client *client = context;
    uint8_t question[2 * (1 + IAS_NAME_OCTETS)];
    bool is_asked = client->asked == write_question(client, question);
    if (count < 1 || (octets[0] & IAS_OPERATION) != IAS_GET_VALUE_BY_CLASS) {
        finish(client, IAS_WRONG_ANSWER, NULL);
    } else if (octets[0] & IAS_ACKNOWLEDGE) {
        client->may_ask = client->asked > 0 && !is_asked;
        ask(client);
    } else if (!is_asked) {
        finish(client, IAS_WRONG_ANSWER, NULL);
    } else if (count - 1 > sizeof client->answer - client->answer_octets) {
        finish(client, IAS_TOO_LONG, NULL);
    } else {
        memcpy(client->answer + client->answer_octets, octets + 1, count - 1);
        client->answer_octets = (uint16_t)(client->answer_octets + count - 1);
        client->acknowledges = (octets[0] & IAS_LAST) == 0;
        if (client->acknowledges) {
            ask(client);
        } else {
            read_answer(client);
        }
    }
}

static void connected(void *context, const uint8_t *octets, size_t count) {
    struct ias_client *client = context;
    (void)octets;
    (void)count;
    client->may_ask = true;
    ask(client);
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
    if (client->lsap.state != LMP_CLOSED || strlen(class_name) > IAS_NAME_OCTETS ||
        strlen(attribute) > IAS_NAME_OCTETS) {
        return false;
    }
    client->class_name = class_name;
    client->attribute = attribute;
    client->asked = 0;
    client->answer_octets = 0;
    client->may_ask = client->acknowledges = false;
    return lmp_connect(&client->lsap, address, IAS_SELECTOR, NULL, 0);
}
