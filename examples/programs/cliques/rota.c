/* Who can work together? The team of most worth among people who get on with each other, and how
 * many teams are worth nearly as much.   rota PEOPLE OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "nautycliquer.h"

#define PEOPLE 64

static FILE *output;

static boolean keep(set_t team, graph_t *people, clique_options *options) {
    int worth = 0;
    (void)options;
    for (int i = 0; i < people->n; i++)
        if (SET_CONTAINS(team, i)) {
            worth += people->weights[i];
            fprintf(output, "%d ", i);
        }
    fprintf(output, "= %d\n", worth);
    return TRUE;
}

int main(int argc, char **argv) {
    static clique_options options = {reorder_by_default, NULL, NULL, NULL, keep, NULL, NULL, 0};
    int days = 0, people, one, other, teams = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fscanf(input, "%d", &people) == 1 && people > 0 && people <= PEOPLE) {
        graph_t *friends = graph_new(people);
        for (int i = 0; i < people; i++)
            fscanf(input, "%d", &friends->weights[i]);
        while (fscanf(input, "%d-%d", &one, &other) == 2)
            GRAPH_ADD_EDGE(friends, one, other);
        fscanf(input, ";");
        int most = clique_max_weight(friends, &options);
        fprintf(output, "day %d: %d\n", ++days, most);
        teams += clique_find_all(friends, most - 2, most, FALSE, &options);
        graph_free(friends);
    }
    printf("%d days, %d teams\n", days, teams);
    fclose(input);
    return fclose(output) != 0;
}
