#include <string.h>

#include "ias.h"

enum { ASCII = 0, HEAD_OCTETS = 10 };

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

// Octets of a value behind its length.
static size_t tail_octets(const struct ias_value *value) {
    size_t most = value->type == IAS_OCTETS   ? IAS_VALUE_OCTETS
                  : value->type == IAS_STRING ? IAS_STRING_OCTETS
                                              : 0;
    return value->count < most ? value->count : most;
}

static uint8_t *put_number(uint8_t *at, uint32_t value, unsigned octets) {
    for (unsigned left = octets; left > 0; left--) {
        *at++ = (uint8_t)(value >> (8 * (left - 1)));
    }
    return at;
}

// The answer up to the octets of a sequence or string; returns how many octets.
static size_t write_head(const struct ias_server *server, uint8_t *octets) {
    const struct ias_attribute *one = &server->attributes[server->index];
    const struct ias_value *value = &one->value;
    uint8_t *at = octets;
    *at++ = server->result;
    if (server->result != IAS_SUCCESS) {
        return 1;
    }
    at = put_number(at, 1, 2); // values
    at = put_number(at, one->object, 2);
    *at++ = (uint8_t)value->type;
    if (value->type == IAS_INTEGER) {
        at = put_number(at, (uint32_t)value->integer, 4);
    } else if (value->type == IAS_OCTETS) {
        at = put_number(at, (uint32_t)tail_octets(value), 2);
    } else if (value->type == IAS_STRING) {
        *at++ = ASCII;
        *at++ = (uint8_t)tail_octets(value);
    }
    return (size_t)(at - octets);
}

// Sends the next frame of the answer.
static void send_answer(struct ias_server *server, uint8_t *octets, size_t capacity) {
    uint8_t head[HEAD_OCTETS];
    const struct ias_value *value = &server->attributes[server->index].value;
    size_t head_octets = write_head(server, head);
    size_t all = head_octets + (server->result == IAS_SUCCESS ? tail_octets(value) : 0);
    size_t count = 1;
    while (count < capacity && server->answered < all) {
        octets[count++] = server->answered < head_octets
                              ? head[server->answered]
                              : value->octets[server->answered - head_octets];
        server->answered++;
    }
    octets[0] = server->operation;
    if (server->answered == all) {
        octets[0] |= IAS_LAST;
        server->answered = 0;
    }
    server->has_answer = false;
    lmp_commit(&server->lsap, count);
}

// Sends what waits: an acknowledgement, or a frame of the answer.
static void answer(void *context) {
    struct ias_server *server = context;
    size_t capacity;
    bool waits = server->acknowledges || server->has_answer;
    uint8_t *octets = waits ? lmp_reserve(&server->lsap, &capacity) : NULL;
    if (octets == NULL) {
        return;
    }
    if (server->acknowledges) {
        server->acknowledges = false;
        octets[0] = IAS_LAST | IAS_ACKNOWLEDGE | server->operation;
        lmp_commit(&server->lsap, 1);
    } else {
        send_answer(server, octets, capacity);
    }
}

// The question is whole. False if a name is cut off: such a question gets no answer.
static bool read_question(struct ias_server *server) {
    const uint8_t *class_name = server->question;
    size_t count = server->question_octets;
    if (server->operation != IAS_GET_VALUE_BY_CLASS) {
        server->result = IAS_UNSUPPORTED;
    } else if (count > sizeof server->question) {
        server->result = IAS_NO_CLASS; // no name is so long
    } else if (count < 1 || count < 2u + class_name[0] ||
               count < 2u + class_name[0] + class_name[1u + class_name[0]]) {
        return false;
    } else {
        look_up(server, class_name, class_name + 1 + class_name[0]);
    }
    return true;
}

// Adds what a frame has of the question.
static void add(struct ias_server *server, const uint8_t *octets, size_t count) {
    if (count > sizeof server->question - server->question_octets) {
        server->question_octets = sizeof server->question + 1;
    } else {
        memcpy(server->question + server->question_octets, octets, count);
        server->question_octets = (uint8_t)(server->question_octets + count);
    }
}

static void question_came(void *context, const uint8_t *octets, size_t count) {
    struct ias_server *server = context;
    if (count < 1 || server->has_answer) {
        return;
    }
    if (octets[0] & IAS_ACKNOWLEDGE) {
        server->has_answer = server->answered > 0;
    } else if (server->answered == 0) {
        server->operation = octets[0] & IAS_OPERATION;
        if (server->question_octets <= sizeof server->question) {
            add(server, octets + 1, count - 1);
        }
        if (octets[0] & IAS_LAST) {
            server->has_answer = read_question(server);
            server->question_octets = 0;
        } else {
            server->acknowledges = true;
        }
    }
    answer(server);
}

static void begin(struct ias_server *server) {
    server->question_octets = 0;
    server->answered = 0;
    server->has_answer = server->acknowledges = false;
}

static void asked(void *context, const uint8_t *octets, size_t count) {
    struct ias_server *server = context;
    (void)octets;
    (void)count;
    begin(server);
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
    begin(server);
    lmp_add(lmp, &server->lsap, &user, server);
    lmp_listen(&server->lsap, IAS_SELECTOR);
}
