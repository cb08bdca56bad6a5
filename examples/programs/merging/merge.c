/* Joins two changes of one text, and lists what each changed.
 * merge BASE OURS THEIRS JOINED CHANGES */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdiff.h"

typedef struct {
    FILE *output;
    unsigned hunks, added, taken;
} listing_t;

static int load(const char *path, mmfile_t *file) {
    FILE *input = fopen(path, "rb");
    if (!input || fseek(input, 0, SEEK_END))
        return 0;
    file->size = ftell(input);
    rewind(input);
    file->ptr = malloc((size_t)file->size + 1);
    int all = file->ptr && fread(file->ptr, 1, (size_t)file->size, input) == (size_t)file->size;
    fclose(input);
    return all;
}

static int out_line(void *given, mmbuffer_t *parts, int count) {
    listing_t *listing = given;
    listing->hunks += parts[0].ptr[0] == '@';
    listing->added += parts[0].ptr[0] == '+';
    listing->taken += parts[0].ptr[0] == '-';
    for (int i = 0; i < count; i++)
        fwrite(parts[i].ptr, 1, (size_t)parts[i].size, listing->output);
    return 0;
}

static void compare(mmfile_t *from, mmfile_t *to, const char *name, unsigned long flags,
                    FILE *output) {
    xpparam_t how = {.flags = flags};
    xdemitconf_t shape = {.ctxlen = 2};
    listing_t listing = {.output = output};
    xdemitcb_t call = {.priv = &listing, .out_line = out_line};
    fprintf(output, "=== %s\n", name);
    if (xdl_diff(from, to, &how, &shape, &call) < 0)
        exit(3);
    printf("%s: %u hunks, %u lines more, %u less\n", name, listing.hunks, listing.added,
           listing.taken);
}

int main(int argc, char **argv) {
    mmfile_t base, ours, theirs;
    mmbuffer_t joined;
    if (argc != 6 || !load(argv[1], &base) || !load(argv[2], &ours) || !load(argv[3], &theirs))
        return 2;
    FILE *output = fopen(argv[4], "wb"), *changes = fopen(argv[5], "w");
    if (!output || !changes)
        return 1;
    compare(&base, &ours, "ours", 0, changes);
    compare(&base, &theirs, "theirs", XDF_NEED_MINIMAL, changes);
    compare(&ours, &theirs, "between", XDF_HISTOGRAM_DIFF, changes);
    xmparam_t how = {.level = XDL_MERGE_ZEALOUS, .file1 = "ours", .file2 = "theirs"};
    int conflicts = xdl_merge(&base, &ours, &theirs, &how, &joined);
    if (conflicts < 0 || fwrite(joined.ptr, 1, (size_t)joined.size, output) != (size_t)joined.size)
        return 1;
    printf("%d conflicts, %ld bytes\n", conflicts, joined.size);
    free(joined.ptr);
    free(base.ptr);
    free(ours.ptr);
    free(theirs.ptr);
    return fclose(output) != 0 || fclose(changes) != 0;
}
