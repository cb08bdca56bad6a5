/* A stirred reactor whose reaction heats it: concentrations and temperature over time, by a stiff
 * solver.   reactor CONDITIONS OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cvode/cvode.h"
#include "nvector/nvector_serial.h"
#include "sunlinsol/sunlinsol_dense.h"
#include "sunmatrix/sunmatrix_dense.h"

#define STATES 4

typedef struct {
    double feed, inflow, coolant, cooling, seconds;
} conditions_t;

static unsigned long asked;

static double rate(double factor, double energy, double kelvin) {
    return factor * exp(-energy / (8.314 * kelvin));
}

/* A to B, twice B to C; both give heat. */
static int change(double t, N_Vector state, N_Vector result, void *given) {
    const conditions_t *now = given;
    double a = NV_Ith_S(state, 0), b = NV_Ith_S(state, 1), c = NV_Ith_S(state, 2);
    double kelvin = NV_Ith_S(state, 3);
    double first = rate(2.0e8, 62000, kelvin) * a, second = rate(3.0e6, 55000, kelvin) * b * b;
    (void)t;
    asked++;
    NV_Ith_S(result, 0) = now->inflow * (now->feed - a) - first;
    NV_Ith_S(result, 1) = first - 2 * second - now->inflow * b;
    NV_Ith_S(result, 2) = second - now->inflow * c;
    NV_Ith_S(result, 3) = now->inflow * (300 - kelvin) + 45 * first + 30 * second -
                          now->cooling * (kelvin - now->coolant);
    return 0;
}

static void put_fixed(FILE *output, double value, int decimals) {
    long scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    long scaled = lround(value * (double)scale);
    fprintf(output, " %s%ld.%0*ld", scaled < 0 ? "-" : "", labs(scaled) / scale, decimals,
            labs(scaled) % scale);
}

static int run(const conditions_t *now, FILE *output) {
    SUNMatrix matrix = SUNDenseMatrix(STATES, STATES);
    N_Vector state = N_VNew_Serial(STATES), least = N_VNew_Serial(STATES);
    SUNLinearSolver solver = SUNLinSol_Dense(state, matrix);
    void *memory = CVodeCreate(CV_BDF);
    long steps = 0, failures = 0;
    double t = 0;
    int state_of = 0;
    if (!matrix || !state || !least || !solver || !memory)
        return 0;
    NV_Ith_S(state, 0) = now->feed;
    NV_Ith_S(state, 3) = 300;
    for (int i = 1; i < 3; i++)
        NV_Ith_S(state, i) = 0;
    for (int i = 0; i < STATES; i++)
        NV_Ith_S(least, i) = i == 3 ? 1e-3 : 1e-6;
    if (CVodeInit(memory, change, 0, state) || CVodeSVtolerances(memory, 1e-5, least) ||
        CVodeSetUserData(memory, (void *)now) || CVodeSetLinearSolver(memory, solver, matrix))
        return 0;
    for (int i = 1; i <= 5 && state_of >= 0; i++) {
        state_of = CVode(memory, now->seconds * i / 5, state, &t, CV_NORMAL);
        fprintf(output, "%ld:", lround(t));
        for (int j = 0; j < STATES; j++)
            put_fixed(output, NV_Ith_S(state, j), j == 3 ? 1 : 3);
        fputc('\n', output);
    }
    CVodeGetNumSteps(memory, &steps);
    CVodeGetNumErrTestFails(memory, &failures);
    fprintf(output, "%s\n", steps > 20 && failures < steps ? "done" : "odd");
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(state);
    N_VDestroy(least);
    return state_of >= 0;
}

int main(int argc, char **argv) {
    char line[100];
    unsigned runs = 0, failed = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        conditions_t now;
        double *fields[] = {&now.feed, &now.inflow, &now.coolant, &now.cooling, &now.seconds};
        char *at = line;
        for (int i = 0; i < 5; i++)
            *fields[i] = strtod(at, &at);
        if (now.seconds <= 0)
            continue;
        fprintf(output, "run %u\n", ++runs);
        failed += !run(&now, output);
    }
    printf("%u runs, %u failed, asked %s\n", runs, failed, asked > 100 ? "often" : "seldom");
    fclose(input);
    return fclose(output) != 0;
}
