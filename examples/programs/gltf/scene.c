/* What is in a scene of glTF, and where? Walks its tree, places its meshes in the world, and adds
 * up their area.   scene FILE OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CGLTF_IMPLEMENTATION
#include "cgltf.h"

typedef struct {
    float least[3], most[3];
    double area;
    unsigned triangles;
} extent_t;

static void place(const float *matrix, const float *from, float *to) {
    for (int row = 0; row < 3; row++)
        to[row] = matrix[row] * from[0] + matrix[4 + row] * from[1] + matrix[8 + row] * from[2] +
                  matrix[12 + row];
}

static double area_of(float corners[3][3]) {
    float a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = corners[1][i] - corners[0][i];
        b[i] = corners[2][i] - corners[0][i];
    }
    float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    float z = a[0] * b[1] - a[1] * b[0];
    return 0.5 * sqrt((double)(x * x + y * y + z * z));
}

static void measure(const cgltf_mesh *mesh, const float *matrix, extent_t *extent) {
    for (size_t i = 0; i < mesh->primitives_count; i++) {
        const cgltf_primitive *primitive = &mesh->primitives[i];
        const cgltf_accessor *points =
            cgltf_find_accessor(primitive, cgltf_attribute_type_position, 0);
        if (!points || !primitive->indices)
            continue;
        for (size_t at = 0; at + 2 < primitive->indices->count; at += 3) {
            float corners[3][3];
            for (size_t corner = 0; corner < 3; corner++) {
                float local[3];
                size_t index = cgltf_accessor_read_index(primitive->indices, at + corner);
                cgltf_accessor_read_float(points, index, local, 3);
                place(matrix, local, corners[corner]);
                for (int axis = 0; axis < 3; axis++) {
                    float value = corners[corner][axis];
                    if (value < extent->least[axis])
                        extent->least[axis] = value;
                    if (value > extent->most[axis])
                        extent->most[axis] = value;
                }
            }
            extent->area += area_of(corners);
            extent->triangles++;
        }
    }
}

static void visit(const cgltf_node *node, int depth, extent_t *all, FILE *output) {
    float matrix[16];
    cgltf_node_transform_world(node, matrix);
    fprintf(output, "%*s%s at %ld %ld %ld", 2 * depth, "", node->name, lroundf(matrix[12] * 100),
            lroundf(matrix[13] * 100), lroundf(matrix[14] * 100));
    if (node->mesh) {
        extent_t own = {{1e9f, 1e9f, 1e9f}, {-1e9f, -1e9f, -1e9f}, 0, 0};
        measure(node->mesh, matrix, &own);
        fprintf(output, ", %s, from", node->mesh->name);
        for (int axis = 0; axis < 3; axis++)
            fprintf(output, " %ld", lroundf(own.least[axis] * 100));
        fprintf(output, " to");
        for (int axis = 0; axis < 3; axis++)
            fprintf(output, " %ld", lroundf(own.most[axis] * 100));
        all->area += own.area;
        all->triangles += own.triangles;
    }
    fputc('\n', output);
    for (size_t i = 0; i < node->children_count; i++)
        visit(node->children[i], depth + 1, all, output);
}

int main(int argc, char **argv) {
    cgltf_options options = {0};
    cgltf_data *data = NULL;
    extent_t all = {0};
    if (argc != 3)
        return 2;
    FILE *output = fopen(argv[2], "w");
    if (!output || cgltf_parse_file(&options, argv[1], &data) != cgltf_result_success ||
        cgltf_load_buffers(&options, data, argv[1]) != cgltf_result_success ||
        cgltf_validate(data) != cgltf_result_success)
        return 1;
    for (size_t i = 0; i < data->nodes_count; i++)
        cgltf_decode_string(data->nodes[i].name);
    for (size_t i = 0; i < data->scene->nodes_count; i++)
        visit(data->scene->nodes[i], 0, &all, output);
    printf("%lu nodes, %u triangles, area %ld\n", (unsigned long)data->nodes_count, all.triangles,
           lround(all.area * 10));
    cgltf_free(data);
    return fclose(output) != 0;
}
