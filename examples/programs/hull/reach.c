/* The reach of an arm: the hull of the places where it has been.   reach PLACES OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geom_r.h"
#include "libqhull_r.h"
#include "qset_r.h"

#define MOST 1200

int main(int argc, char **argv) {
    static coordT places[3 * MOST];
    static char options[] = "qhull Qt FA Pp";
    qhT work, *qh = &work;
    facetT *facet;
    vertexT *vertex, **vertexp;
    int count = 0, facets = 0, corners = 0, x, y, z, curlong, totlong;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (count < MOST && fscanf(input, "%d %d %d", &x, &y, &z) == 3) {
        places[3 * count] = x;
        places[3 * count + 1] = y;
        places[3 * count + 2] = z;
        count++;
    }
    qh_zero(qh, stderr);
    if (qh_new_qhull(qh, 3, count, places, False, options, NULL, stderr))
        return 1;
    qh_getarea(qh, qh->facet_list);
    FORALLfacets {
        FOREACHvertex_(facet->vertices) fprintf(output, "%d ", qh_pointid(qh, vertex->point));
        fprintf(output, "%ld\n", lround(facet->offset * 1e4));
        facets++;
    }
    FORALLvertices corners++;
    printf("%d places, %d corners, %d facets, area %ld, volume %ld\n", count, corners, facets,
           lround(qh->totarea / 1e3), lround(qh->totvol / 1e6));
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &curlong, &totlong);
    fclose(input);
    return fclose(output) != 0 || totlong;
}
