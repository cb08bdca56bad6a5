/* Drives a vehicle to its dock by predicting: in each step a quadratic program over the next steps
 * is solved, and its first force is applied. Force and speed have limits.   dock STEPS START OUTPUT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "osqp.h"

#define AHEAD 8
#define STATES 2
#define VARIABLES (AHEAD * (STATES + 1))
#define ROWS (AHEAD * (STATES + STATES + 1))
#define ENTRIES (AHEAD * 5 + (AHEAD - 1) * 3 + VARIABLES)

/* x' = A x + B u, a tenth of a second later. */
static const double A[2][2] = {{1, 0.1}, {0, 0.98}};
static const double B[2] = {0.005, 0.1};
static const double COST[3] = {10, 1, 0.5};
static const double LIMIT[3] = {10, 0.8, 1};

static c_float value[ENTRIES], cost[VARIABLES], linear[VARIABLES], low[ROWS], high[ROWS];
static c_int row[ENTRIES], column[VARIABLES + 1], cost_row[VARIABLES], cost_column[VARIABLES + 1];

/* Variables by step: u of now, and the position and speed that follow it. */
static c_int fill(void) {
    c_int n = 0;
    for (int k = 0; k < AHEAD; k++) {
        int first = 3 * k;
        column[first] = n;
        for (int i = 0; i < STATES; i++) {
            row[n] = STATES * k + i;
            value[n++] = -B[i];
        }
        row[n] = STATES * AHEAD + first;
        value[n++] = 1;
        for (int j = 0; j < STATES; j++) {
            column[first + 1 + j] = n;
            row[n] = STATES * k + j;
            value[n++] = 1;
            for (int i = 0; i < STATES && k + 1 < AHEAD; i++) {
                if (A[i][j] == 0)
                    continue;
                row[n] = STATES * (k + 1) + i;
                value[n++] = -A[i][j];
            }
            row[n] = STATES * AHEAD + first + 1 + j;
            value[n++] = 1;
        }
        for (int j = 0; j < 3; j++) {
            int which = first + j;
            cost[which] = j == 0 ? COST[2] : COST[j - 1];
            cost_row[which] = cost_column[which] = which;
            double limit = j == 0 ? LIMIT[2] : LIMIT[j - 1];
            low[STATES * AHEAD + which] = -limit;
            high[STATES * AHEAD + which] = limit;
        }
    }
    column[VARIABLES] = n;
    cost_column[VARIABLES] = VARIABLES;
    return n;
}

static void begin_at(const double state[2]) {
    for (int i = 0; i < STATES; i++)
        low[i] = high[i] = A[i][0] * state[0] + A[i][1] * state[1];
}

/* In millionths, to the nearest ten. */
static long micro(double value) {
    return 10 * lround(value * 1e5);
}

int main(int argc, char **argv) {
    OSQPWorkspace *work;
    OSQPSettings settings;
    OSQPData data;
    csc costs, rules;
    int iterations = 0;
    if (argc != 4)
        return 2;
    double state[2] = {strtod(argv[2], NULL), 0};
    FILE *output = fopen(argv[3], "w");
    if (!output)
        return 1;
    c_int entries = fill();
    begin_at(state);
    costs = (csc){VARIABLES, VARIABLES, VARIABLES, cost_column, cost_row, cost, -1};
    rules = (csc){entries, ROWS, VARIABLES, column, row, value, -1};
    data = (OSQPData){VARIABLES, ROWS, &costs, &rules, linear, low, high};
    osqp_set_default_settings(&settings);
    settings.eps_abs = settings.eps_rel = 1e-4;
    settings.adaptive_rho_interval = 25;
    settings.verbose = 0;
    if (osqp_setup(&work, &data, &settings)) {
        puts("no program");
        return 1;
    }
    for (int step = 0; step < atoi(argv[1]); step++) {
        begin_at(state);
        if (osqp_update_bounds(work, low, high) || osqp_solve(work) ||
            work->info->status_val != OSQP_SOLVED) {
            printf("step %d: no way\n", step);
            return 1;
        }
        double force = work->solution->x[0];
        iterations += (int)work->info->iter;
        fprintf(output, "%d %ld %ld %ld\n", step, micro(state[0]), micro(state[1]), micro(force));
        double next = A[0][0] * state[0] + A[0][1] * state[1] + B[0] * force;
        state[1] = A[1][0] * state[0] + A[1][1] * state[1] + B[1] * force;
        state[0] = next;
    }
    printf("at %ld after %d iterations\n", micro(state[0]), iterations);
    osqp_cleanup(work);
    return fclose(output) != 0;
}
