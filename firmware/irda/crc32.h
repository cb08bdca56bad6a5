// CRC-32 of ISO 3309, the check of a file's content.
#ifndef IRDA_CRC32_H
#define IRDA_CRC32_H

#include <stddef.h>
#include <stdint.h>

// Returns the CRC of `before` followed by these octets; 0 is the CRC of nothing.
uint32_t crc32_add(uint32_t before, const uint8_t *octets, size_t count);

#endif
