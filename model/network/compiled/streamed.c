/* Streamed: x W^T + b of a few rows x, with W read once, in the order in which it lies.
 *
 * A product of one row takes as long as reading the matrix. Kernels of libraries read several of its rows side by
 * side, or column by column, and get half of what the memory gives; this one reads two rows that lie far apart, so
 * that the processor sees what comes next (AMD EPYC: as fast as a sum; in parts of 64 KB a quarter slower).
 *
 * No Python in it: it is called through ctypes (`model.network.products.streamed`). Vectors are those of GCC and Clang,
 * which cut them to what a processor has; for x86 there is a second version, for those that add and multiply at once.
 */

#include "streamed.h"

#include <stdatomic.h>

typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
enum { LANES = 8, MOST_ROWS = 4, MOST_STREAMS = 2 };

/* Bytes of a matrix that stay in a core's cache while more rows of x pass than are multiplied at once. */
enum { KEPT = 1 << 16 };

typedef struct {
    const float *x, *weight, *bias; /* [rows, inputs], [outputs, inputs], [outputs] or none */
    float *product;                 /* [rows, outputs] */
    size_t rows, outputs, inputs, taken;
    atomic_size_t next;
} Work;

#define INLINED static inline __attribute__((always_inline))

/* `streams` rows of the matrix, `apart` rows from each other, times `rows` rows of x. Both are constants where it is
 * called, so that all sums lie in registers. */
INLINED void dots(const Work *work, size_t first, size_t output, size_t apart, const int rows, const int streams) {
    /* As many sums as the processor adds to at once: eight at least. */
    const int parts = rows * streams < 8 ? 2 : 1;
    const size_t inputs = work->inputs;
    const float *x = work->x + first * inputs, *weight = work->weight + output * inputs;
    Lanes sums[MOST_ROWS][MOST_STREAMS][2] = {{{{0}}}};
    size_t at = 0;
    for (; at + parts * LANES <= inputs; at += parts * LANES)
        for (int part = 0; part < parts; part++)
            for (int stream = 0; stream < streams; stream++) {
                const size_t here = at + part * LANES;
                const Lanes read = *(const Lanes *)(weight + stream * apart * inputs + here);
                for (int row = 0; row < rows; row++)
                    sums[row][stream][part] += read * *(const Lanes *)(x + row * inputs + here);
            }
    for (int row = 0; row < rows; row++)
        for (int stream = 0; stream < streams; stream++) {
            const size_t to = output + stream * apart;
            const Lanes both = sums[row][stream][0] + sums[row][stream][1];
            float sum = work->bias ? work->bias[to] : 0;
            for (int lane = 0; lane < LANES; lane++) sum += both[lane];
            for (size_t rest = at; rest < inputs; rest++)
                sum += work->weight[to * inputs + rest] * x[row * inputs + rest];
            work->product[(first + row) * work->outputs + to] = sum;
        }
}

/* Rows `from` to `to` of the matrix times some rows of x. */
INLINED void some(const Work *work, size_t first, size_t from, size_t to, const int rows, const int streams) {
    const size_t apart = (to - from) / streams;
    for (size_t output = from; output < from + apart; output++) dots(work, first, output, apart, rows, streams);
    for (size_t output = from + streams * apart; output < to; output++) dots(work, first, output, 0, rows, 1);
}

/* What one thread does until nothing is left. */
INLINED void share(Work *work) {
    for (;;) {
        const size_t from = atomic_fetch_add(&work->next, work->taken);
        if (from >= work->outputs) return;
        const size_t to = work->outputs - from < work->taken ? work->outputs : from + work->taken;
        size_t row = 0;
        for (; row + 4 <= work->rows; row += 4) some(work, row, from, to, 4, 2);
        for (; row + 2 <= work->rows; row += 2) some(work, row, from, to, 2, 2);
        for (; row < work->rows; row++) some(work, row, from, to, 1, 2);
    }
}

static void plainly(void *work) { share(work); }

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void by_avx2(void *work) { share(work); }

static int has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

/* All arrays are float32 without gaps. Parts of the matrix go to whichever thread is free, and each row of it is added
 * up in one order: the sums do not depend on `threads`. `parallel` may be none; `plain` asks for no special version. */
void headscope_streamed(const float *x, const float *weight, const float *bias, float *product, size_t rows,
                        size_t outputs, size_t inputs, unsigned threads, Parallel parallel, int plain) {
    const size_t threads_here = parallel && threads > 1 ? threads : 1;
    /* Each thread reads one long part, unless it has to come back to it. */
    size_t taken = (outputs + threads_here - 1) / threads_here;
    if (rows > MOST_ROWS && taken * inputs * sizeof(float) > KEPT) taken = KEPT / (inputs * sizeof(float)) + 1;
    Work work = {x, weight, bias, product, rows, outputs, inputs, taken, 0};
    void (*run)(void *) = plainly;
#if defined(__x86_64__)
    if (!plain && has_avx2()) run = by_avx2;
#endif
    (void)plain;
    if (threads_here > 1)
        parallel(run, &work, (unsigned)threads_here, 0);
    else
        run(&work);
}
