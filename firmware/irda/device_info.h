// The discovery information of a station: service hints, character set and nickname, as IrLMP lays
// them out.
#ifndef IRDA_DEVICE_INFO_H
#define IRDA_DEVICE_INFO_H

#include <stddef.h>
#include <stdint.h>

#define DEVICE_INFO_OCTETS 32
#define DEVICE_HINTS 4
#define DEVICE_NAME_OCTETS 22

// Hints of the first octet and of the second. Bit 7 of each octet says that another one follows; it
// is set and removed here.
enum device_hint {
    DEVICE_PNP = 0x01,
    DEVICE_PDA = 0x02,
    DEVICE_COMPUTER = 0x04,
    DEVICE_PRINTER = 0x08,
    DEVICE_MODEM = 0x10,
    DEVICE_FAX = 0x20,
    DEVICE_LAN = 0x40,
};
enum device_second_hint {
    DEVICE_TELEPHONY = 0x01,
    DEVICE_FILE_SERVER = 0x02,
    DEVICE_COMM = 0x04,
    DEVICE_OBEX = 0x20,
};

struct device_info {
    uint8_t hints[DEVICE_HINTS]; // without bit 7
    uint8_t hint_octets;
    uint8_t character_set;             // 0: ASCII, 1 to 9: ISO 8859-1 to -9, 255: Unicode
    char name[DEVICE_NAME_OCTETS + 1]; // ends with a zero
};

// Writes the information as it is sent, into DEVICE_INFO_OCTETS; returns its octets. A
// name that is too long is cut.
size_t device_info_write(const struct device_info *info, uint8_t *octets);

// Reads what a station sent. Fields that are not there become 0 or empty.
void device_info_read(struct device_info *info, const uint8_t *octets, size_t count);

#endif
