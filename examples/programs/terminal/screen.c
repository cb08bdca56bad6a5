/* A terminal shows what a device writes, and its picture goes into a file: text, and where it is
 * bold, reversed or coloured.   screen ROWS COLUMNS SESSION OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vterm.h"

typedef struct {
    unsigned damaged, moved, bells, scrolled;
    char title[40];
} seen_t;

static int on_damage(VTermRect rect, void *given) {
    seen_t *seen = given;
    seen->damaged += (unsigned)((rect.end_row - rect.start_row) * (rect.end_col - rect.start_col));
    return 1;
}

static int on_move(VTermPos to, VTermPos from, int visible, void *given) {
    seen_t *seen = given;
    (void)visible;
    seen->moved += to.row != from.row || to.col != from.col;
    return 1;
}

static int on_property(VTermProp property, VTermValue *value, void *given) {
    seen_t *seen = given;
    if (property == VTERM_PROP_TITLE)
        snprintf(seen->title, sizeof seen->title, "%s", value->string);
    return 1;
}

static int on_bell(void *given) {
    ((seen_t *)given)->bells++;
    return 1;
}

static int on_line(int columns, const VTermScreenCell *cells, void *given) {
    (void)columns;
    (void)cells;
    ((seen_t *)given)->scrolled++;
    return 1;
}

static void put_letter(FILE *output, uint32_t letter) {
    if (letter < 0x80)
        fputc(letter ? (int)letter : ' ', output);
    else if (letter < 0x800)
        fprintf(output, "%c%c", (int)(0xC0 | letter >> 6), (int)(0x80 | (letter & 63)));
    else
        fprintf(output, "%c%c%c", (int)(0xE0 | letter >> 12), (int)(0x80 | (letter >> 6 & 63)),
                (int)(0x80 | (letter & 63)));
}

static void picture(VTermScreen *screen, int rows, int columns, FILE *output) {
    VTermScreenCell cell;
    for (int row = 0; row < rows; row++) {
        char marks[200];
        for (int column = 0; column < columns; column++) {
            VTermPos at = {row, column};
            vterm_screen_get_cell(screen, at, &cell);
            put_letter(output, cell.chars[0]);
            int coloured = cell.fg.red != 240 || cell.fg.green != 240 || cell.fg.blue != 240;
            marks[column] = '.';
            if (cell.attrs.bold || cell.attrs.reverse || cell.attrs.underline || coloured)
                marks[column] = (char)('@' + cell.attrs.bold + 2 * cell.attrs.reverse +
                                       4 * (cell.attrs.underline != 0) + 8 * coloured);
        }
        fprintf(output, "|%.*s\n", columns, marks);
    }
}

int main(int argc, char **argv) {
    static seen_t seen;
    static const VTermScreenCallbacks callbacks = {
        .damage = on_damage,
        .movecursor = on_move,
        .settermprop = on_property,
        .bell = on_bell,
        .sb_pushline = on_line,
    };
    char bytes[64];
    size_t count, total = 0;
    VTermPos cursor;
    if (argc != 5)
        return 2;
    int rows = atoi(argv[1]), columns = atoi(argv[2]);
    FILE *input = fopen(argv[3], "rb"), *output = fopen(argv[4], "w");
    VTerm *terminal = vterm_new(rows, columns);
    if (!input || !output || !terminal || columns > 200)
        return 1;
    vterm_set_utf8(terminal, 1);
    VTermScreen *screen = vterm_obtain_screen(terminal);
    vterm_screen_set_callbacks(screen, &callbacks, &seen);
    vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_ROW);
    vterm_screen_reset(screen, 1);
    while ((count = fread(bytes, 1, sizeof bytes, input)) > 0) {
        vterm_input_write(terminal, bytes, count);
        total += count;
    }
    vterm_screen_flush_damage(screen);
    picture(screen, rows, columns, output);
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &cursor);
    count = vterm_output_read(terminal, bytes, sizeof bytes);
    fprintf(output, "said %lu bytes:", (unsigned long)count);
    for (size_t i = 0; i < count; i++)
        fprintf(output, " %02x", bytes[i] & 255);
    fputc('\n', output);
    printf("%lu bytes, cursor %d, %d, %u bells, %u lines gone, title %s, drawn: %s\n",
           (unsigned long)total, cursor.row, cursor.col, seen.bells, seen.scrolled, seen.title,
           seen.damaged && seen.moved ? "yes" : "no");
    vterm_free(terminal);
    fclose(input);
    return fclose(output) != 0;
}
