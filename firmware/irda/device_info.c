#include "device_info.h"

#include <string.h>

#define MORE_HINTS 0x80u // in a hint octet: another one follows

size_t device_info_write(const struct device_info *info, uint8_t *octets) {
    size_t count = 0;
    unsigned hints = info->hint_octets;
    if (hints == 0 || hints > DEVICE_HINTS) {
        hints = 1;
    }
    for (unsigned at = 0; at < hints; at++) {
        octets[count++] =
            (uint8_t)((info->hints[at] & ~MORE_HINTS) | (at + 1 < hints ? MORE_HINTS : 0));
    }
    octets[count++] = info->character_set;
    for (size_t at = 0;
         at < DEVICE_NAME_OCTETS && info->name[at] != 0 && count < DEVICE_INFO_OCTETS; at++) {
        octets[count++] = (uint8_t)info->name[at];
    }
    return count;
}

void device_info_read(struct device_info *info, const uint8_t *octets, size_t count) {
    size_t at = 0;
    uint8_t hint = MORE_HINTS;
    memset(info, 0, sizeof *info);
    while (at < count && (hint & MORE_HINTS)) {
        hint = octets[at++];
        if (info->hint_octets < DEVICE_HINTS) {
            info->hints[info->hint_octets++] = hint & (uint8_t)~MORE_HINTS;
        }
    }
    if (at < count) {
        info->character_set = octets[at++];
    }
    for (size_t name = 0; name < DEVICE_NAME_OCTETS && at < count; name++) {
        info->name[name] = (char)octets[at++];
    }
}
