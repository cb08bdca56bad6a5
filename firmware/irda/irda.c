#include "irda.h"

#include <string.h>

#include "device_info.h"

void irda_init(struct irda *irda, const struct irda_port *port, const struct send_calls *calls,
               const struct irda_config *config) {
    static const struct lmp_owner none;
    struct device_info info = {.hints = {DEVICE_COMPUTER}, .hint_octets = 1};
    struct lap_config lap = {
        .address = config->address,
        .abilities = config->abilities,
        .kept = config->kept,
    };
    strncpy(info.name, config->name, DEVICE_NAME_OCTETS);
    lap.info_octets = (uint8_t)device_info_write(&info, lap.info);
    lmp_init(&irda->lmp, &irda->lap, &none);
    lap_init(&irda->lap, port, &irda->lmp.client, &lap);
    framer_init(&irda->framer, &irda->lap);
    send_init(&irda->send, &irda->lmp, calls, config->name, config->credits);
}

void irda_run(struct irda *irda) {
    lap_run(&irda->lap);
    send_run(&irda->send);
}

bool irda_deadline(const struct irda *irda, uint32_t *at_us) {
    uint32_t other_us;
    bool planned = lap_deadline(&irda->lap, at_us);
    if (!send_deadline(&irda->send, &other_us)) {
        return planned;
    }
    if (!planned || irda_is_due(*at_us, other_us)) {
        *at_us = other_us;
    }
    return true;
}
