/* Runs an ELF file that lies in the internal RAM in mGBA's core, as a game would, until its
 * `finished`. Prints the seconds of the processor that the run takes. Nothing is drawn or played.
 */
#include <elf.h>
#include <mgba-util/vfs.h>
#include <mgba/core/config.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/gba/core.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/isa-inlines.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void quiet(struct mLogger *logger, int category, enum mLogLevel level, const char *format,
                  va_list args) {
    (void)logger, (void)category, (void)level, (void)format, (void)args;
}

/* Reads a file whole. */
static uint8_t *contents(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc((size_t)size);
    if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size)
        bytes = NULL;
    fclose(file);
    return bytes;
}

/* The program's bytes go where the file says. */
static void load(struct mCore *core, const uint8_t *bytes) {
    const Elf32_Ehdr *header = (const Elf32_Ehdr *)bytes;
    for (int i = 0; i < header->e_phnum; i++) {
        const Elf32_Phdr *part = (const Elf32_Phdr *)(bytes + header->e_phoff) + i;
        for (Elf32_Word at = 0; part->p_type == PT_LOAD && at < part->p_filesz; at++)
            core->rawWrite8(core, part->p_paddr + at, -1, bytes[part->p_offset + at]);
    }
}

int main(int argc, char **argv) {
    static uint8_t game[0x400];
    uint8_t *bytes = argc == 3 ? contents(argv[1]) : NULL;
    struct mLogger logger = {.log = quiet};
    mLogSetDefaultLogger(&logger);
    struct mCore *core = GBACoreCreate();
    if (!bytes || !core || !core->init(core))
        return 1;
    mCoreInitConfig(core, NULL);
    memset(game, 0, sizeof(game));
    memcpy(game, "\xFE\xFF\xFF\xEA", 4);
    game[0xB2] = 0x96;
    if (!core->loadROM(core, VFileFromConstMemory(game, sizeof(game))))
        return 2;
    core->reset(core);
    load(core, bytes);
    struct ARMCore *cpu = core->cpu;
    cpu->gprs[ARM_PC] = ((const Elf32_Ehdr *)bytes)->e_entry;
    ARMWritePC(cpu);
    uint32_t finished = (uint32_t)strtoul(argv[2], NULL, 0);
    double begun = now();
    while ((uint32_t)cpu->gprs[ARM_PC] - finished > 8)
        core->runLoop(core);
    printf("%.9f\n", now() - begun);
    return 0;
}
