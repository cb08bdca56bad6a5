/* A listing of the machine code of an x86-64, with the places that its jumps lead to.
 * listing CODE ADDRESS OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Zydis/Zydis.h"

#define JUMPS 400

static int ascending(const void *a, const void *b) {
    ZyanU64 left = *(const ZyanU64 *)a, right = *(const ZyanU64 *)b;
    return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
    static ZyanU8 code[16384];
    static ZyanU64 jumps[JUMPS];
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction one;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    char text[96];
    unsigned lines = 0, bad = 0, count = 0, by_length[16] = {0};
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "w");
    if (!input || !output)
        return 1;
    ZyanU64 address = strtoull(argv[2], NULL, 16), target;
    size_t size = fread(code, 1, sizeof code, input), at = 0;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    while (at < size) {
        ZyanStatus state = ZydisDecoderDecodeFull(&decoder, code + at, size - at, &one, operands);
        if (!ZYAN_SUCCESS(state)) {
            fprintf(output, "%lx: (bad)\n", (unsigned long)(address + at));
            at++;
            bad++;
            continue;
        }
        ZydisFormatterFormatInstruction(&formatter, &one, operands, one.operand_count_visible, text,
                                        sizeof text, address + at, ZYAN_NULL);
        fprintf(output, "%lx: %s\n", (unsigned long)(address + at), text);
        if (one.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE && count < JUMPS &&
            ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&one, operands, address + at, &target)))
            jumps[count++] = target;
        by_length[one.length]++;
        at += one.length;
        lines++;
    }
    qsort(jumps, count, sizeof *jumps, ascending);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || jumps[i] != jumps[i - 1])
            fprintf(output, "to %lx\n", (unsigned long)jumps[i]);
    printf("%u instructions, %u bad, lengths", lines, bad);
    for (int i = 1; i < 16; i++)
        printf(" %u", by_length[i]);
    putchar('\n');
    fclose(input);
    return fclose(output) != 0;
}
