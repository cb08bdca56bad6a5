// The information access service of IrLMP: which services a station has, and at which LSAP.
//
// GetValueByClass alone, one question at a time. Question and answer take as many frames as they
// need; the other station acknowledges each but the last.
#ifndef IRDA_IAS_H
#define IRDA_IAS_H

#include "lmp.h"

#define IAS_SELECTOR 0
#define IAS_NAME_OCTETS 60 // of a class or attribute, at most
#define IAS_STRING_OCTETS 255
#define IAS_VALUE_OCTETS 1024 // of a sequence of octets, at most
#define IAS_TINYTP "IrDA:TinyTP:LsapSel"

enum ias_type { IAS_MISSING, IAS_INTEGER, IAS_OCTETS, IAS_STRING };

enum ias_result { // as it is sent, and three of ours
    IAS_SUCCESS = 0,
    IAS_NO_CLASS = 1,
    IAS_NO_ATTRIBUTE = 2,
    IAS_UNSUPPORTED = 0xFF,
    IAS_NO_ANSWER = 0x100,    // the connection ended before the answer
    IAS_WRONG_ANSWER = 0x101, // the answer is malformed
    IAS_TOO_LONG = 0x102,     // the answer has more octets than one value can have
};

enum ias_control { // the first octet of a frame
    IAS_LAST = 0x80,
    IAS_ACKNOWLEDGE = 0x40,
    IAS_OPERATION = 0x3F,
    IAS_GET_VALUE_BY_CLASS = 4,
};

struct ias_value {
    enum ias_type type;
    int32_t integer;
    const uint8_t *octets; // of OCTETS and STRING; as client: valid during the call
    size_t count;          // what is above IAS_VALUE_OCTETS or IAS_STRING_OCTETS is not sent
};

struct ias_attribute {
    const char *class_name;
    uint16_t object; // the same for all attributes of a class; 0 is Device
    const char *name;
    struct ias_value value;
};

struct ias_server { // private
    struct lmp_lsap lsap;
    const struct ias_attribute *attributes;
    size_t count;
    uint8_t question[2 * (1 + IAS_NAME_OCTETS)];
    uint8_t question_octets; // that came; more than there is place for: too long
    uint8_t operation;
    uint16_t index;    // of the answer
    uint8_t result;    // of the answer
    uint16_t answered; // octets of the answer that were sent
    bool has_answer;   // the next frame of it waits for a place in the window
    bool acknowledges; // and so does an acknowledgement
};

// Answers questions about these attributes, which stay the caller's.
void ias_serve(struct ias_server *server, struct lmp *lmp, const struct ias_attribute *attributes,
               size_t count);

struct ias_client { // private
    struct lmp_lsap lsap;
    const char *class_name;
    const char *attribute;
    uint8_t asked; // octets of the question that were sent
    bool may_ask;  // the next frame of it waits for a place in the window
    bool acknowledges;
    uint8_t answer[6 + 2 + IAS_VALUE_OCTETS];
    uint16_t answer_octets;
    void (*answered)(void *context, enum ias_result result, const struct ias_value *value);
    void *context;
};

// Prepares a client. `answered` gets the first value, or null without success.
void ias_client_init(struct ias_client *client, struct lmp *lmp,
                     void (*answered)(void *context, enum ias_result result,
                                      const struct ias_value *value),
                     void *context);

// Asks station `address`; makes the link if there is none. The names stay the caller's. False if
// a question is under way, a name is too long, or no connection can be asked for.
bool ias_ask(struct ias_client *client, uint32_t address, const char *class_name,
             const char *attribute);

#endif
