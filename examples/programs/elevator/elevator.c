/* Controls a lift: a machine of states with functions for entering, leaving and each event, driven
 * by calls from a file.   elevator INPUT OUTPUT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FLOORS 12
#define DOOR_TICKS 6
#define TRAVEL_TICKS 4
#define OVERLOAD_KG 630

typedef enum { EV_TICK, EV_CALL, EV_OBSTACLE, EV_LOAD, EV_ALARM, EV_RESET, EV_COUNT } event_id;
typedef enum {
    ST_IDLE,
    ST_MOVING,
    ST_OPENING,
    ST_WAITING,
    ST_CLOSING,
    ST_STUCK,
    ST_COUNT
} state_id;

struct lift;
typedef state_id (*reaction)(struct lift *lift, int argument);

struct state {
    const char *name;
    void (*enter)(struct lift *lift);
    reaction react[EV_COUNT];
};

struct lift {
    state_id state, before;
    int floor, direction, timer, load_kg;
    uint16_t wanted;
    unsigned long tick, served, changes, entered[ST_COUNT];
    unsigned long waited, since[FLOORS];
    FILE *log;
};

static void note(struct lift *lift, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(lift->log, "%06lu %2d ", lift->tick, lift->floor);
    vfprintf(lift->log, format, arguments);
    fputc('\n', lift->log);
    va_end(arguments);
}

static bool beyond(const struct lift *lift, int direction) {
    uint16_t above = (uint16_t)(lift->wanted >> lift->floor >> 1);
    uint16_t below = (uint16_t)(lift->wanted & ((1u << lift->floor) - 1u));
    return direction > 0 ? above != 0 : below != 0;
}

static bool here(const struct lift *lift) {
    return lift->wanted >> lift->floor & 1u;
}

static void serve(struct lift *lift) {
    lift->wanted &= (uint16_t) ~(1u << lift->floor);
    lift->waited += lift->tick - lift->since[lift->floor];
    lift->served++;
}

static state_id next_way(struct lift *lift) {
    if (here(lift))
        return ST_OPENING;
    if (lift->direction == 0)
        lift->direction = 1;
    if (beyond(lift, lift->direction))
        return ST_MOVING;
    if (beyond(lift, -lift->direction)) {
        lift->direction = -lift->direction;
        return ST_MOVING;
    }
    lift->direction = 0;
    return ST_IDLE;
}

static state_id stay(struct lift *lift, int argument) {
    (void)argument;
    return lift->state;
}

static state_id on_call(struct lift *lift, int floor) {
    if (floor >= 0 && floor < FLOORS && !(lift->wanted >> floor & 1u)) {
        lift->wanted |= (uint16_t)(1u << floor);
        lift->since[floor] = lift->tick;
    }
    return lift->state;
}

static state_id idle_tick(struct lift *lift, int argument) {
    (void)argument;
    return lift->wanted ? next_way(lift) : ST_IDLE;
}

static state_id moving_tick(struct lift *lift, int argument) {
    (void)argument;
    if (--lift->timer > 0)
        return ST_MOVING;
    lift->floor += lift->direction;
    if (here(lift))
        return ST_OPENING;
    lift->timer = TRAVEL_TICKS;
    return beyond(lift, lift->direction) ? ST_MOVING : next_way(lift);
}

static state_id opening_tick(struct lift *lift, int argument) {
    (void)argument;
    return --lift->timer > 0 ? ST_OPENING : ST_WAITING;
}

static state_id waiting_tick(struct lift *lift, int argument) {
    (void)argument;
    if (lift->load_kg > OVERLOAD_KG)
        return ST_WAITING;
    return --lift->timer > 0 ? ST_WAITING : ST_CLOSING;
}

static state_id closing_tick(struct lift *lift, int argument) {
    (void)argument;
    return --lift->timer > 0 ? ST_CLOSING : next_way(lift);
}

static state_id reopen(struct lift *lift, int argument) {
    note(lift, "obstacle %d", argument);
    return ST_OPENING;
}

static state_id on_load(struct lift *lift, int kg) {
    lift->load_kg = kg;
    if (kg > OVERLOAD_KG)
        note(lift, "overload by %d kg", kg - OVERLOAD_KG);
    return lift->state;
}

static state_id on_alarm(struct lift *lift, int argument) {
    note(lift, "alarm %d", argument);
    lift->before = lift->state;
    return ST_STUCK;
}

static state_id on_reset(struct lift *lift, int argument) {
    (void)argument;
    lift->load_kg = 0;
    return lift->before == ST_MOVING ? ST_MOVING : ST_OPENING;
}

static void start_timer(struct lift *lift) {
    lift->timer = lift->state == ST_MOVING ? TRAVEL_TICKS : DOOR_TICKS;
}

static void start_opening(struct lift *lift) {
    lift->timer = DOOR_TICKS / 2;
    if (here(lift))
        serve(lift);
}

static void stop(struct lift *lift) {
    lift->timer = 0;
}

static const struct state states[ST_COUNT] = {
    [ST_IDLE] = {"idle", stop, {idle_tick, on_call, stay, on_load, on_alarm, stay}},
    [ST_MOVING] = {"moving", start_timer, {moving_tick, on_call, stay, stay, on_alarm, stay}},
    [ST_OPENING] = {"opening",
                    start_opening,
                    {opening_tick, on_call, stay, on_load, on_alarm, stay}},
    [ST_WAITING] = {"waiting", start_timer, {waiting_tick, on_call, stay, on_load, on_alarm, stay}},
    [ST_CLOSING] = {"closing",
                    start_timer,
                    {closing_tick, on_call, reopen, on_load, on_alarm, stay}},
    [ST_STUCK] = {"stuck", stop, {stay, on_call, stay, on_load, stay, on_reset}},
};

static void dispatch(struct lift *lift, event_id event, int argument) {
    state_id next = states[lift->state].react[event](lift, argument);
    if (next == lift->state)
        return;
    note(lift, "%s to %s, wanted %03x", states[lift->state].name, states[next].name,
         (unsigned)lift->wanted);
    lift->state = next;
    lift->changes++;
    lift->entered[next]++;
    states[next].enter(lift);
}

int main(int argc, char **argv) {
    static const char *const names[EV_COUNT] = {"tick", "call",  "obstacle",
                                                "load", "alarm", "reset"};
    struct lift lift = {.state = ST_IDLE};
    char line[40], word[16];
    int argument, unknown = 0;
    FILE *in;

    if (argc != 3 || !(in = fopen(argv[1], "r")) || !(lift.log = fopen(argv[2], "w")))
        return 1;
    while (fgets(line, sizeof line, in)) {
        int event = 0;
        argument = 0;
        if (sscanf(line, "%15s %d", word, &argument) < 1)
            continue;
        while (event < EV_COUNT && strcmp(word, names[event]) != 0)
            event++;
        if (event == EV_COUNT)
            unknown++;
        else if (event != EV_TICK)
            dispatch(&lift, (event_id)event, argument);
        else
            for (; argument > 0; argument--) {
                lift.tick++;
                dispatch(&lift, EV_TICK, 0);
            }
    }
    printf("%lu served in %lu ticks, %lu waited, %lu changes, %d unknown\n", lift.served, lift.tick,
           lift.waited, lift.changes, unknown);
    for (int i = 0; i < ST_COUNT; i++)
        printf("%-8s %lu\n", states[i].name, lift.entered[i]);
    fclose(in);
    return fclose(lift.log) != 0;
}
