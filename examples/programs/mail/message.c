/* Makes a message of mail: a text as quoted-printable, a file as base64, and heads in folded lines.
 * Then it reads the parts again.   message TEXT FILE OUTPUT PART_PREFIX */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BOUNDARY "=_part_7f3a"
#define LINE 76

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int8_t value_of[256];

static void put_quoted(FILE *input, FILE *output) {
    int c, next, used = 0;
    for (c = fgetc(input); c != EOF; c = next) {
        char piece[4] = {(char)c};
        next = fgetc(input);
        if (c == '\n') {
            fputc('\n', output);
            used = 0;
            continue;
        }
        int plain = (isprint(c) && c != '=') && !(c == ' ' && (next == '\n' || next == EOF));
        if (!plain)
            snprintf(piece, sizeof piece, "=%02X", c);
        int size = plain ? 1 : 3;
        if (used + size >= LINE) {
            fputs("=\n", output);
            used = 0;
        }
        fputs(piece, output);
        used += size;
    }
    if (used)
        fputs("=\n", output);
}

static void put_base64(FILE *input, FILE *output) {
    uint8_t bytes[LINE / 4 * 3];
    char line[LINE + 2];
    size_t got;
    while ((got = fread(bytes, 1, sizeof bytes, input)) > 0) {
        char *at = line;
        for (size_t i = 0; i < got; i += 3) {
            uint32_t three = (uint32_t)bytes[i] << 16;
            three |= i + 1 < got ? (uint32_t)bytes[i + 1] << 8 : 0;
            three |= i + 2 < got ? bytes[i + 2] : 0;
            *at++ = DIGITS[three >> 18];
            *at++ = DIGITS[three >> 12 & 63];
            *at++ = i + 1 < got ? DIGITS[three >> 6 & 63] : '=';
            *at++ = i + 2 < got ? DIGITS[three & 63] : '=';
        }
        *at++ = '\n';
        *at = 0;
        fputs(line, output);
    }
}

/* Folds a head's words into lines. */
static void put_head(FILE *output, const char *name, const char *text) {
    char copy[256], *rest;
    int used = fprintf(output, "%s:", name);
    strncpy(copy, text, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        int length = (int)strlen(word);
        if (used + 1 + length > 60) {
            fputs("\n", output);
            used = 0;
        }
        used += fprintf(output, " %s", word);
    }
    fputc('\n', output);
}

static int write_message(const char *text, const char *file, const char *path) {
    FILE *one = fopen(text, "rb"), *two = fopen(file, "rb"), *output = fopen(path, "wb");
    if (!one || !two || !output)
        return 1;
    put_head(output, "From", "Meter 7 <meter-7@plant.test>");
    put_head(output, "To",
             "Control <control@plant.test>, Archive <archive@plant.test>, Night shift "
             "<night@plant.test>, Maintenance <maintenance@north.plant.test>");
    put_head(output, "Subject", "The report of the day with what was recorded");
    put_head(output, "MIME-Version", "1.0");
    put_head(output, "Content-Type", "multipart/mixed; boundary=\"" BOUNDARY "\"");
    fputs("\n--" BOUNDARY "\nContent-Type: text/plain; charset=utf-8\n"
          "Content-Transfer-Encoding: quoted-printable\n\n",
          output);
    put_quoted(one, output);
    fputs("\n--" BOUNDARY "\nContent-Type: application/octet-stream\n"
          "Content-Transfer-Encoding: base64\n\n",
          output);
    put_base64(two, output);
    fputs("\n--" BOUNDARY "--\n", output);
    fclose(one);
    fclose(two);
    return fclose(output) != 0;
}

static size_t from_quoted(const char *line, uint8_t *to) {
    size_t used = 0;
    for (; *line; line++) {
        if (*line != '=') {
            to[used++] = (uint8_t)*line;
        } else if (line[1] == '\n' || line[1] == 0) {
            break;
        } else {
            char two[3] = {line[1], line[2], 0};
            to[used++] = (uint8_t)strtoul(two, NULL, 16);
            line += 2;
        }
    }
    return used;
}

static size_t from_base64(const char *line, uint8_t *to) {
    size_t used = 0;
    uint32_t bits = 0;
    int count = 0;
    for (; value_of[(uint8_t)*line] >= 0; line++) {
        bits = bits << 6 | (uint32_t)value_of[(uint8_t)*line];
        count += 6;
        if (count >= 8) {
            count -= 8;
            to[used++] = (uint8_t)(bits >> count);
        }
    }
    return used;
}

static int read_message(const char *path, const char *prefix) {
    char line[256], name[64];
    uint8_t bytes[256];
    int part = 0, heads = 1, base64 = 0, folded = 0, head_lines = 0;
    FILE *input = fopen(path, "rb"), *output = NULL;
    if (!input)
        return 1;
    while (fgets(line, sizeof line, input)) {
        if (strncmp(line, "--" BOUNDARY, sizeof BOUNDARY + 1) == 0) {
            if (output)
                fclose(output);
            output = NULL;
            heads = 1;
            base64 = 0;
            if (strncmp(line + sizeof BOUNDARY + 1, "--", 2) != 0) {
                snprintf(name, sizeof name, "%s%d", prefix, ++part);
                output = fopen(name, "wb");
                if (!output)
                    return 1;
            }
        } else if (heads) {
            heads = *line != '\n';
            head_lines += heads;
            folded += heads && isspace((unsigned char)*line);
            char *colon = strchr(line, ':');
            if (colon &&
                strncasecmp(line, "content-transfer-encoding", (size_t)(colon - line)) == 0) {
                char *value = colon + 1 + strspn(colon + 1, " ");
                value[strcspn(value, " \n")] = 0;
                base64 = strcasecmp(value, "BASE64") == 0;
            }
        } else if (output) {
            size_t count = base64 ? from_base64(line, bytes) : from_quoted(line, bytes);
            fwrite(bytes, 1, count, output);
        }
    }
    printf("%d parts, %d lines of heads, %d folded\n", part, head_lines, folded);
    return fclose(input) != 0;
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    memset(value_of, -1, sizeof value_of);
    for (int i = 0; i < 64; i++)
        value_of[(uint8_t)DIGITS[i]] = (int8_t)i;
    if (write_message(argv[1], argv[2], argv[3]))
        return 1;
    return read_message(argv[3], argv[4]);
}
