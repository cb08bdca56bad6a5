/* A plain function with arguments, as it stands in any program; nothing in it knows of Cyclescope.
 *
 *     cyclescope time examples/fragments/sum_of_squares.c --call 'sum_of_squares(values, 8)'
 */
int values[] = {3, 1, 4, 1, 5, 9, 2, 6};

int sum_of_squares(const int *value, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += value[i] * value[i];
    return sum;
}
