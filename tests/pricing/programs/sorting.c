/* Sorts numbers in three ways and looks them up. */
enum { COUNT = 60 };

static unsigned seed = 12345;
static int values[COUNT], copy[COUNT], heap[COUNT];

static unsigned next_random(void) {
    seed = seed * 1103515245u + 12345u;
    return seed >> 16 & 0x7FFF;
}

static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int key = a[i], j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}

static void quick(int *a, int low, int high) {
    while (low < high) {
        int pivot = a[(low + high) >> 1], i = low, j = high;
        do {
            while (a[i] < pivot)
                i++;
            while (pivot < a[j])
                j--;
            if (i <= j) {
                int kept = a[i];
                a[i++] = a[j];
                a[j--] = kept;
            }
        } while (i <= j);
        if (j - low < high - i) {
            quick(a, low, j);
            low = i;
        } else {
            quick(a, i, high);
            high = j;
        }
    }
}

static void sift(int *a, int root, int n) {
    for (;;) {
        int child = 2 * root + 1;
        if (child >= n)
            break;
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[root] >= a[child])
            return;
        int kept = a[root];
        a[root] = a[child];
        a[child] = kept;
        root = child;
    }
}

static int find(const int *a, int n, int wanted) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == wanted)
            return middle;
        if (a[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int main(void) {
    int found = 0, wrong = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = copy[i] = heap[i] = (int)next_random() % 1000;
    insertion(values, COUNT);
    quick(copy, 0, COUNT - 1);
    for (int i = COUNT / 2 - 1; i >= 0; i--)
        sift(heap, i, COUNT);
    for (int n = COUNT - 1; n > 0; n--) {
        int kept = heap[0];
        heap[0] = heap[n];
        heap[n] = kept;
        sift(heap, 0, n);
    }
    for (int i = 0; i < COUNT; i++)
        if (values[i] != copy[i] || values[i] != heap[i])
            wrong++;
    for (int x = 0; x < 1000; x += 3)
        if (find(values, COUNT, x) >= 0)
            found++;
    return wrong * 1000 + found;
}
