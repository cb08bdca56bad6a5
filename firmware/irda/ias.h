// The information access service of IrLMP: which services a station has, and at which LSAP.
//
// GetValueByClass alone, one question at a time. Question and answer fit in one frame each.
#ifndef IRDA_IAS_H
#define IRDA_IAS_H

#include "lmp.h"

#define IAS_SELECTOR 0
#define IAS_NAME_OCTETS 60 // of a class or attribute, at most
#define IAS_TINYTP "IrDA:TinyTP:LsapSel"

enum ias_type { IAS_MISSING, IAS_INTEGER, IAS_OCTETS, IAS_STRING };

enum ias_result { // as it is sent, and two of ours
    IAS_SUCCESS = 0,
    IAS_NO_CLASS = 1,
    IAS_NO_ATTRIBUTE = 2,
    IAS_TOO_LONG = 3, // the answer does not fit in a frame
    IAS_UNSUPPORTED = 0xFF,
    IAS_NO_ANSWER = 0x100,    // the connection ended before the answer
    IAS_WRONG_ANSWER = 0x101, // the answer is malformed
};

struct ias_value {
    enum ias_type type;
    int32_t integer;
    const uint8_t *octets; // of OCTETS and STRING; as client: valid during the call
    size_t count;
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
    uint16_t index; // of the answer that waits for a place in the window
    uint8_t result; // of that answer
    bool has_answer;
};

// Answers questions about these attributes, which stay the caller's.
void ias_serve(struct ias_server *server, struct lmp *lmp, const struct ias_attribute *attributes,
               size_t count);

struct ias_client { // private
    struct lmp_lsap lsap;
    const char *class_name;
    const char *attribute;
    bool was_asked;
    void (*answered)(void *context, enum ias_result result, const struct ias_value *value);
    void *context;
};

// Prepares a client. `answered` gets the first value, or null without success.
void ias_client_init(struct ias_client *client, struct lmp *lmp,
                     void (*answered)(void *context, enum ias_result result,
                                      const struct ias_value *value),
                     void *context);

// Asks station `address`; makes the link if there is none. The names stay the caller's. False if
// a question is under way or no connection can be asked for.
bool ias_ask(struct ias_client *client, uint32_t address, const char *class_name,
             const char *attribute);

#endif
