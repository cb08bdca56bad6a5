// IrLMP 1.1: connections between service access points (LSAPs), multiplexed over one IrLAP link.
//
// Nothing is allocated: an LSAP is a struct of its user. A user may call any function here from
// within a call of struct lmp_user or struct lmp_owner.
#ifndef IRDA_LMP_H
#define IRDA_LMP_H

#include "lap.h"

#define LMP_HEADER_OCTETS 2
#define LMP_CONNECT_OCTETS 16 // user data of connect and confirm, at most
#define LMP_LAST_SELECTOR 0x6Fu
#define LMP_FIRST_FREE_SELECTOR 0x10u // lower ones are for services

enum lmp_reason { // why a connection ended, as it is sent
    LMP_USER_REQUEST = 0x01,
    LMP_LINK_LOST = 0x02,
    LMP_NO_LINK = 0x03,
    LMP_LINK_RESET = 0x04,    // IrLAP's numbers began anew: data may be lost
    LMP_NOT_CONNECTED = 0x06, // data came for a connection that is not there
    LMP_NO_SERVICE = 0x08,    // nobody listens on this LSAP
    LMP_UNSPECIFIED = 0xFF,
};

enum lmp_state { LMP_CLOSED, LMP_LISTENING, LMP_ASKING, LMP_ASKED, LMP_CONNECTED };

// Calls to the user of an LSAP, each with its context; each may be null but `data`. Octets are
// valid during the call.
struct lmp_user {
    // The other station asks for a connection: call lmp_accept() or lmp_disconnect().
    void (*asked)(void *context, const uint8_t *octets, size_t count);
    // The connection that lmp_connect() asked for is there.
    void (*connected)(void *context, const uint8_t *octets, size_t count);
    // The connection ended or did not come about. A listener stops to listen.
    void (*disconnected)(void *context, enum lmp_reason reason);
    void (*data)(void *context, const uint8_t *octets, size_t count);
    // lmp_reserve() may return a buffer again.
    void (*ready)(void *context);
};

struct lmp;

struct lmp_lsap { // a user reads `state`; all else is private to lmp.c
    struct lmp *lmp;
    struct lmp_lsap *next;
    const struct lmp_user *user;
    void *context;
    enum lmp_state state;
    uint8_t local;
    uint8_t remote;
    uint8_t
        reply_octets; // of a connect, confirm or disconnect that waits for a place in the window
    uint8_t reply[LMP_HEADER_OCTETS + 2 + LMP_CONNECT_OCTETS];
};

// Calls to the owner of the station; each may be null.
struct lmp_owner {
    void *context;
    void (*discovered)(void *context, const struct lap_device *devices, unsigned count,
                       enum lap_reason result);
    void (*link_ended)(void *context, enum lap_reason reason);
};

struct lmp {
    struct lap *lap;
    struct lap_client client;
    struct lmp_owner owner;
    struct lmp_lsap *lsaps;
    struct lmp_lsap *first; // is offered the next free place in the window first
    bool is_linked;
    uint32_t address;     // of the station at the other end of the link, or asked for one
    uint8_t reply_octets; // of an answer to an LSAP that is not there
    uint8_t reply[LMP_HEADER_OCTETS + 3];
};

// Prepares the layer. `lmp->client` is what lap_init() takes as client of `lap`.
void lmp_init(struct lmp *lmp, struct lap *lap, const struct lmp_owner *owner);

// Adds an LSAP, closed, for good.
void lmp_add(struct lmp *lmp, struct lmp_lsap *lsap, const struct lmp_user *user, void *context);

// Waits for connections to the selector `local`, 0 to 0x6F. Several LSAPs may wait at one.
void lmp_listen(struct lmp_lsap *lsap, uint8_t local);

// Asks station `address` for a connection to its LSAP `remote`; makes the link if there is none.
// False if the LSAP is in use, a link to another station is there, or no selector is free.
bool lmp_connect(struct lmp_lsap *lsap, uint32_t address, uint8_t remote, const uint8_t *octets,
                 size_t count);

// Takes the connection asked for.
void lmp_accept(struct lmp_lsap *lsap, const uint8_t *octets, size_t count);

// Ends the connection, refuses it, or stops to wait for one. `disconnected` is not called here.
void lmp_disconnect(struct lmp_lsap *lsap, enum lmp_reason reason);

// Returns a buffer for data, with `*capacity` octets, or null: `ready` is called later. Commit or
// give up before anything else is called.
uint8_t *lmp_reserve(struct lmp_lsap *lsap, size_t *capacity);

// Sends the first `count` octets of the buffer.
void lmp_commit(struct lmp_lsap *lsap, size_t count);

// Data of a frame to the connected station, at most: what lmp_reserve() offers.
size_t lmp_capacity(const struct lmp *lmp);

// Ends the link with all its connections. `link_ended` is called when it has ended.
void lmp_unlink(struct lmp *lmp);

#endif
