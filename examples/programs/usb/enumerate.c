/* A host lists the devices on its bus: configurations, interfaces, endpoints and names, from the
 * descriptors that they gave. A wrong length ends a device.   enumerate DEVICES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PACKED __attribute__((packed))
#define LONGEST 1024

typedef struct PACKED {
    uint8_t length, type;
    uint16_t usb;
    uint8_t device_class, subclass, protocol, packet;
    uint16_t vendor, product, release;
    uint8_t manufacturer, name, serial, configurations;
} device_t;

typedef struct PACKED {
    uint8_t length, type;
    uint16_t total;
    uint8_t interfaces, value, name;
    union {
        uint8_t raw;
        struct {
            uint8_t reserved : 5, wakeup : 1, self_powered : 1, one : 1;
        };
    } attributes;
    uint8_t half_amps_250th;
} configuration_t;

typedef struct PACKED {
    uint8_t length, type, number, setting, endpoints, interface_class, subclass, protocol, name;
} interface_t;

typedef struct PACKED {
    uint8_t length, type;
    struct {
        uint8_t number : 4, reserved : 3, in : 1;
    } address;
    struct {
        uint8_t transfer : 2, synchronisation : 2, usage : 2, more : 2;
    } attributes;
    struct {
        uint16_t size : 11, extra : 2, rest : 3;
    } packet;
    uint8_t interval;
} endpoint_t;

typedef struct {
    const uint8_t *data;
    size_t size;
    const uint8_t *strings[16];
    unsigned interfaces, endpoints, milliamps;
    unsigned long bytes_a_second;
} parse_t;

typedef const char *(*handler_t)(parse_t *, const uint8_t *);

static FILE *output;
static const char *const transfers[] = {"control", "isochronous", "bulk", "interrupt"};

static void put_string(const parse_t *parse, uint8_t index) {
    const uint8_t *string = index && index < 16 ? parse->strings[index] : NULL;
    if (!string) {
        fputs("-", output);
        return;
    }
    for (int i = 2; i + 1 < string[0]; i += 2) {
        unsigned code = string[i] | (unsigned)string[i + 1] << 8;
        if (code < 0x80)
            fputc((int)code, output);
        else if (code < 0x800)
            fprintf(output, "%c%c", 0xC0 | code >> 6, 0x80 | (code & 63));
        else
            fprintf(output, "%c%c%c", 0xE0 | code >> 12, 0x80 | (code >> 6 & 63),
                    0x80 | (code & 63));
    }
}

static const char *on_device(parse_t *parse, const uint8_t *at) {
    device_t device;
    if (at[0] != sizeof device)
        return "length of device";
    memcpy(&device, at, sizeof device);
    fprintf(output, "%04x:%04x usb %x.%02x class %02x release %x.%02x ", device.vendor,
            device.product, device.usb >> 8, device.usb & 255, device.device_class,
            device.release >> 8, device.release & 255);
    put_string(parse, device.manufacturer);
    fputs(" / ", output);
    put_string(parse, device.name);
    fputs(" / ", output);
    put_string(parse, device.serial);
    fputc('\n', output);
    return NULL;
}

static const char *on_configuration(parse_t *parse, const uint8_t *at) {
    configuration_t configuration;
    if (at[0] != sizeof configuration)
        return "length of configuration";
    memcpy(&configuration, at, sizeof configuration);
    if (!configuration.attributes.one)
        return "attributes";
    if (configuration.half_amps_250th * 2u > parse->milliamps)
        parse->milliamps = configuration.half_amps_250th * 2u;
    fprintf(output, "  configuration %u: %u mA%s%s\n", configuration.value,
            configuration.half_amps_250th * 2,
            configuration.attributes.self_powered ? ", own power" : "",
            configuration.attributes.wakeup ? ", wakes" : "");
    return NULL;
}

static const char *on_interface(parse_t *parse, const uint8_t *at) {
    const interface_t *interface = (const void *)at;
    if (at[0] != sizeof *interface)
        return "length of interface";
    parse->interfaces++;
    fprintf(output, "    interface %u.%u class %02x.%02x.%02x ", interface->number,
            interface->setting, interface->interface_class, interface->subclass,
            interface->protocol);
    put_string(parse, interface->name);
    fputc('\n', output);
    return NULL;
}

static const char *on_endpoint(parse_t *parse, const uint8_t *at) {
    endpoint_t endpoint;
    if (at[0] < sizeof endpoint)
        return "length of endpoint";
    memcpy(&endpoint, at, sizeof endpoint);
    parse->endpoints++;
    if (endpoint.attributes.transfer & 1 && endpoint.interval)
        parse->bytes_a_second +=
            endpoint.packet.size * (1u + endpoint.packet.extra) * 1000u / endpoint.interval;
    fprintf(output, "      %s %u %s %u*%u every %u\n", endpoint.address.in ? "in" : "out",
            endpoint.address.number, transfers[endpoint.attributes.transfer],
            endpoint.packet.extra + 1u, endpoint.packet.size, endpoint.interval);
    return NULL;
}

static const char *on_string(parse_t *parse, const uint8_t *at) {
    (void)parse;
    return at[0] & 1 ? "length of string" : NULL;
}

static const handler_t handlers[] = {NULL,      on_device,    on_configuration,
                                     on_string, on_interface, on_endpoint};

static const char *walk(parse_t *parse) {
    unsigned strings = 0;
    for (size_t at = 0; at + 2 <= parse->size && parse->data[at] >= 2; at += parse->data[at])
        if (parse->data[at + 1] == 3 && strings < 15 && at + parse->data[at] <= parse->size)
            parse->strings[++strings] = parse->data + at;
    for (size_t at = 0; at < parse->size; at += parse->data[at]) {
        const uint8_t *one = parse->data + at;
        if (one[0] < 2 || at + one[0] > parse->size)
            return "end";
        handler_t handler = one[1] < sizeof handlers / sizeof *handlers ? handlers[one[1]] : NULL;
        const char *wrong = handler ? handler(parse, one) : NULL;
        if (wrong)
            return wrong;
    }
    return NULL;
}

int main(int argc, char **argv) {
    static uint8_t data[LONGEST];
    uint8_t head[2];
    unsigned devices = 0, bad = 0, endpoints = 0, milliamps = 0;
    unsigned long bytes_a_second = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fread(head, 1, 2, input) == 2) {
        size_t size = head[0] | (size_t)head[1] << 8;
        if (size > LONGEST || fread(data, 1, size, input) != size)
            return 1;
        parse_t parse = {.data = data, .size = size};
        const char *wrong = walk(&parse);
        devices++;
        if (wrong) {
            bad++;
            fprintf(output, "  wrong: %s\n", wrong);
        } else {
            endpoints += parse.endpoints;
            milliamps += parse.milliamps;
            bytes_a_second += parse.bytes_a_second;
        }
    }
    printf("%u devices, %u wrong, %u endpoints, %u mA, %lu bytes a second\n", devices, bad,
           endpoints, milliamps, bytes_a_second);
    fclose(input);
    return fclose(output) != 0;
}
