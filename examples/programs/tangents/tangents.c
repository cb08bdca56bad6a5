/* Tangents at the corners of a mesh, for its map of normals.   tangents MESH OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mikktspace.h"

typedef struct {
    float place[3], normal[3], map[2];
} corner_t;

typedef struct {
    int faces, corners_of_face;
    corner_t *corners;
    const int *indices;
    FILE *output;
    double sum;
} mesh_t;

static mesh_t *mesh_of(const SMikkTSpaceContext *context) {
    return context->m_pUserData;
}

static const corner_t *corner(const SMikkTSpaceContext *context, int face, int vertex) {
    const mesh_t *mesh = mesh_of(context);
    return &mesh->corners[mesh->indices[face * mesh->corners_of_face + vertex]];
}

static int faces(const SMikkTSpaceContext *context) {
    return mesh_of(context)->faces;
}

static int corners_of_face(const SMikkTSpaceContext *context, const int face) {
    (void)face;
    return mesh_of(context)->corners_of_face;
}

static void place(const SMikkTSpaceContext *context, float to[], const int face, const int vertex) {
    for (int i = 0; i < 3; i++)
        to[i] = corner(context, face, vertex)->place[i];
}

static void normal(const SMikkTSpaceContext *context, float to[], const int face,
                   const int vertex) {
    for (int i = 0; i < 3; i++)
        to[i] = corner(context, face, vertex)->normal[i];
}

static void map(const SMikkTSpaceContext *context, float to[], const int face, const int vertex) {
    for (int i = 0; i < 2; i++)
        to[i] = corner(context, face, vertex)->map[i];
}

static void keep(const SMikkTSpaceContext *context, const float tangent[], const float sign,
                 const int face, const int vertex) {
    mesh_t *mesh = mesh_of(context);
    if (vertex == 0)
        fprintf(mesh->output, "%d %ld %ld %ld %d\n", face, lrintf(100 * tangent[0] + 1e-3f),
                lrintf(100 * tangent[1] + 1e-3f), lrintf(100 * tangent[2] + 1e-3f), (int)sign);
    mesh->sum += tangent[vertex % 3];
}

int main(int argc, char **argv) {
    SMikkTSpaceInterface calls = {faces, corners_of_face, place, normal, map, keep, NULL};
    SMikkTSpaceContext context = {&calls, NULL};
    mesh_t mesh = {0};
    char word[16];
    int count;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    mesh.output = fopen(argv[2], "w");
    if (!input || !mesh.output ||
        fscanf(input, "%d%d%d", &count, &mesh.faces, &mesh.corners_of_face) != 3)
        return 1;
    mesh.corners = malloc((size_t)count * sizeof *mesh.corners);
    int *indices = malloc((size_t)(mesh.faces * mesh.corners_of_face) * sizeof *indices);
    if (!mesh.corners || !indices)
        return 1;
    for (int i = 0; i < count; i++) {
        float *at = mesh.corners[i].place;
        for (int j = 0; j < 8; j++) {
            if (fscanf(input, "%15s", word) != 1)
                return 1;
            at[j] = strtof(word, NULL);
        }
    }
    for (int i = 0; i < mesh.faces * mesh.corners_of_face; i++)
        if (fscanf(input, "%d", &indices[i]) != 1)
            return 1;
    mesh.indices = indices;
    context.m_pUserData = &mesh;
    if (!genTangSpaceDefault(&context))
        return 1;
    printf("%d faces, sum %ld\n", mesh.faces, lrint(mesh.sum));
    free(mesh.corners);
    free(indices);
    fclose(input);
    return fclose(mesh.output) != 0;
}
