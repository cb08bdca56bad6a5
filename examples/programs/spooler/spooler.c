/* Three clients print on one printer, whose recursive mutex keeps a document whole: a line takes it
 * again, and so does the head of a page. A client may be suspended in the middle of a document.
 * Under FreeRTOS.   spooler TEXT DOCUMENTS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#define CLIENTS 3
#define COLUMNS 48
#define PAGE_LINES 24
#define STACK_WORDS 1024

typedef struct {
    SemaphoreHandle_t lock;
    FILE *paper;
    unsigned pages, on_page, deepest, depth;
} printer_t;

typedef struct {
    int number, done;
    uint32_t seed;
    unsigned waits;
    TaskHandle_t task;
} client_t;

static printer_t printer;
static client_t clients[CLIENTS];
static char text[8192];
static int documents;

static uint32_t draw(uint32_t *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16 & 0x7FFF;
}

static void take(void) {
    xSemaphoreTakeRecursive(printer.lock, portMAX_DELAY);
    if (++printer.depth > printer.deepest)
        printer.deepest = printer.depth;
}

static void give(void) {
    printer.depth--;
    xSemaphoreGiveRecursive(printer.lock);
}

static void put_head(void) {
    take();
    fprintf(printer.paper, "%*sPage %u\n\n", COLUMNS - 8, "", ++printer.pages);
    printer.on_page = 2;
    give();
}

static void put_line(const char *line) {
    take();
    if (printer.pages == 0 || printer.on_page == PAGE_LINES) {
        if (printer.pages)
            fputc('\f', printer.paper);
        put_head();
    }
    fprintf(printer.paper, "%s\n", line);
    printer.on_page++;
    give();
}

/* Fills lines of a paragraph up to the last column; returns where the text goes on. */
static const char *put_filled(const char *from, int words) {
    char line[COLUMNS + 1];
    size_t length = 0;
    while (words-- && *from) {
        size_t size = strcspn(from, " \n");
        if (size > COLUMNS)
            size = COLUMNS;
        if (length && length + 1 + size > COLUMNS) {
            line[length] = 0;
            put_line(line);
            length = 0;
        }
        if (length)
            line[length++] = ' ';
        memcpy(line + length, from, size);
        length += size;
        from += size;
        from += strspn(from, " \n");
    }
    line[length] = 0;
    if (length)
        put_line(line);
    return from;
}

static void print(client_t *client, int document) {
    char title[COLUMNS];
    int paragraphs = 1 + (int)(draw(&client->seed) % 4);
    const char *from = text + draw(&client->seed) % (strlen(text) / 2);
    from += strcspn(from, " \n");
    from += strspn(from, " \n");
    take();
    snprintf(title, sizeof title, "== client %d, document %d", client->number, document);
    put_line(title);
    while (paragraphs--) {
        from = put_filled(from, 8 + (int)(draw(&client->seed) % 40));
        if (draw(&client->seed) % 3 == 0) { /* its next page has to come first */
            client->waits++;
            vTaskSuspend(NULL);
        }
    }
    put_line("--");
    give();
}

static void serve(void *given) {
    client_t *client = given;
    for (int document = 0; document < documents; document++) {
        vTaskSuspend(NULL);
        print(client, document);
    }
    client->done = 1;
    for (;;)
        vTaskSuspend(NULL);
}

static void dispatch(void *unused) {
    uint32_t seed = 99;
    unsigned resumed = 0, waits = 0;
    (void)unused;
    while (!clients[0].done || !clients[1].done || !clients[2].done) {
        vTaskResume(clients[draw(&seed) % CLIENTS].task);
        resumed++;
    }
    for (int i = 0; i < CLIENTS; i++)
        waits += clients[i].waits;
    printf("%u pages, %u times resumed, %u times waited, taken %u deep\n", printer.pages, resumed,
           waits, printer.deepest);
    exit(fclose(printer.paper) != 0);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r");
    documents = atoi(argv[2]);
    printer.paper = fopen(argv[3], "w");
    printer.lock = xSemaphoreCreateRecursiveMutex();
    if (!input || !printer.paper || !printer.lock)
        return 1;
    text[fread(text, 1, sizeof text - 1, input)] = 0;
    fclose(input);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].number = i;
        clients[i].seed = 7u + 13u * (uint32_t)i;
        xTaskCreate(serve, "client", STACK_WORDS, &clients[i], 2 + (UBaseType_t)i,
                    &clients[i].task);
    }
    xTaskCreate(dispatch, "dispatch", STACK_WORDS, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
