/* Renders a manual in Markdown as HTML, its table of contents first.   render INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "document.h"
#include "html.h"

enum { UNIT = 256, NESTING = 12 };

static hoedown_buffer *rendered(hoedown_renderer *renderer, const hoedown_buffer *text) {
    hoedown_buffer *html = hoedown_buffer_new(UNIT);
    hoedown_document *document =
        hoedown_document_new(renderer,
                             HOEDOWN_EXT_TABLES | HOEDOWN_EXT_FENCED_CODE | HOEDOWN_EXT_AUTOLINK |
                                 HOEDOWN_EXT_STRIKETHROUGH | HOEDOWN_EXT_FOOTNOTES,
                             NESTING);
    hoedown_document_render(document, html, text->data, text->size);
    hoedown_document_free(document);
    hoedown_html_renderer_free(renderer);
    return html;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return EXIT_FAILURE;
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    hoedown_buffer *text = hoedown_buffer_new(UNIT);
    if (!in || !out || hoedown_buffer_putf(text, in))
        return EXIT_FAILURE;

    hoedown_buffer *contents = rendered(hoedown_html_toc_renderer_new(3), text);
    hoedown_buffer *body = rendered(hoedown_html_renderer_new(0, 3), text);
    hoedown_buffer *page = hoedown_buffer_new(4 * UNIT);
    hoedown_buffer_printf(page, "<!-- %u bytes of source -->\n", (unsigned)text->size);
    hoedown_html_smartypants(page, contents->data, contents->size);
    hoedown_html_smartypants(page, body->data, body->size);
    fwrite(page->data, 1, page->size, out);
    printf("%u bytes of contents, %u of text\n", (unsigned)contents->size, (unsigned)body->size);

    hoedown_buffer_free(page);
    hoedown_buffer_free(body);
    hoedown_buffer_free(contents);
    hoedown_buffer_free(text);
    fclose(in);
    return fclose(out) ? EXIT_FAILURE : EXIT_SUCCESS;
}
