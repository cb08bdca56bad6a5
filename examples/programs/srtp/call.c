/* A call over a bad line: packets of speech are sealed, some are lost, late, repeated or changed,
 * and the other end opens those that are good.   call SPEECH SEED SEALED HEARD */
#include <config.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "srtp.h"

#define PAYLOAD 160
#define HEADER 12
#define HELD 4

typedef struct {
    uint8_t bytes[HEADER + PAYLOAD + SRTP_MAX_TRAILER_LEN + 4];
    int size;
} packet_t;

static uint32_t seed;
static unsigned counts[4], errors[30];

enum { SENT, LOST, CHANGED, REPEATED };

static unsigned draw(unsigned below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % below;
}

static void fill(packet_t *packet, uint16_t number, uint32_t time, const uint8_t *speech) {
    uint32_t words[3] = {htonl(0x80080000u | number), htonl(time), htonl(0xCAFE0042u)};
    memcpy(packet->bytes, words, HEADER);
    memcpy(packet->bytes + HEADER, speech, PAYLOAD);
    packet->size = HEADER + PAYLOAD;
}

/* Of 16 bits to 8, as A-law has them. */
static uint8_t compressed(int sample) {
    int sign = sample >= 0 ? 0x80 : 0, exponent = 7, mask = 0x4000;
    if (sample < 0)
        sample = -sample - 1;
    while (exponent > 0 && !(sample & mask)) {
        mask >>= 1;
        exponent--;
    }
    int mantissa = sample >> (exponent ? exponent + 3 : 4) & 15;
    return (uint8_t)((sign | exponent << 4 | mantissa) ^ 0x55);
}

static void hear(srtp_t session, packet_t packet, FILE *output) {
    srtp_err_status_t state = srtp_unprotect(session, packet.bytes, &packet.size);
    if (state != srtp_err_status_ok) {
        errors[state % 30]++;
        return;
    }
    fputc(packet.bytes[2], output);
    fputc(packet.bytes[3], output);
    fwrite(packet.bytes + HEADER, 1, (size_t)packet.size - HEADER, output);
}

int main(int argc, char **argv) {
    static packet_t held[HELD];
    static uint8_t key[30];
    uint8_t speech[PAYLOAD];
    int16_t samples[PAYLOAD];
    srtp_policy_t policy;
    srtp_t sender, receiver;
    unsigned number = 0, at;
    if (argc != 5)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *sealed = fopen(argv[3], "wb");
    FILE *output = fopen(argv[4], "wb");
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    if (!input || !sealed || !output || srtp_init() != srtp_err_status_ok)
        return 1;
    for (int i = 0; i < 30; i++)
        key[i] = (uint8_t)draw(256);
    memset(&policy, 0, sizeof policy);
    srtp_crypto_policy_set_rtp_default(&policy.rtp);
    srtp_crypto_policy_set_rtcp_default(&policy.rtcp);
    policy.ssrc.type = ssrc_any_outbound;
    policy.key = key;
    policy.window_size = 128;
    if (srtp_create(&sender, &policy) != srtp_err_status_ok)
        return 1;
    policy.ssrc.type = ssrc_any_inbound;
    if (srtp_create(&receiver, &policy) != srtp_err_status_ok)
        return 1;
    while (fread(samples, 2, PAYLOAD, input) == PAYLOAD) {
        for (int i = 0; i < PAYLOAD; i++)
            speech[i] = compressed(samples[i]);
        packet_t *packet = &held[number % HELD], other;
        fill(packet, (uint16_t)(number + 65520), number * PAYLOAD, speech);
        if (srtp_protect(sender, packet->bytes, &packet->size) != srtp_err_status_ok)
            return 1;
        fwrite(packet->bytes, 1, (size_t)packet->size, sealed);
        counts[SENT]++;
        switch (draw(8)) {
        case 0:
            counts[LOST]++;
            break;
        case 1:
            counts[CHANGED]++;
            other = *packet;
            at = draw(PAYLOAD);
            other.bytes[HEADER + at] ^= (uint8_t)(1 << draw(8));
            hear(receiver, other, output);
            break;
        case 2:
            counts[REPEATED]++;
            hear(receiver, *packet, output);
            if (number)
                hear(receiver, held[(number - 1) % HELD], output);
            break;
        default:
            hear(receiver, *packet, output);
        }
        number++;
    }
    printf("%u sent, %u lost, %u changed, %u repeated\n", counts[SENT], counts[LOST],
           counts[CHANGED], counts[REPEATED]);
    printf("refused: %u not genuine, %u again\n", errors[srtp_err_status_auth_fail],
           errors[srtp_err_status_replay_fail]);
    srtp_dealloc(sender);
    srtp_dealloc(receiver);
    srtp_shutdown();
    fclose(input);
    fclose(sealed);
    return fclose(output) != 0;
}
