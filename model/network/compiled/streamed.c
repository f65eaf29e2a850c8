/* Streamed: x W^T + b of a few rows x, with W read once, in the order in which it lies.
 *
 * A product of one row takes as long as reading the matrix. Kernels of libraries read several of its rows side by
 * side, or column by column, and get half of what the memory gives; this one reads rows that lie far apart, so that
 * the processor sees what comes next. With two of them one AMD EPYC read as fast as a sum (in parts of 64 KB a quarter
 * slower), an older one a quarter faster with four: `headscope_streams` takes the number.
 *
 * What is read once need not stay in the caches, from which it drives all else that a step needs: read past them, a
 * token of a model of 200 MB came a tenth sooner, most of it outside the products (one AMD EPYC).
 *
 * No Python in it: it is called through ctypes (`model.network.products.streamed`). Vectors are those of GCC and Clang;
 * of the four numbers that every processor takes at once, and on x86 of eight for those that can.
 */

#include "streamed.h"

#include <stdatomic.h>

enum { MOST_ROWS = 4, MOST_STREAMS = 4 };

/* Rows of the matrix that are read side by side for one row of x: two or four. */
static atomic_int streams_of_one = 2;

/* Bytes of a matrix that stay in a core's cache while more rows of x pass than are multiplied at once. */
enum { KEPT = 1 << 16 };

typedef struct {
    const float *x, *weight, *bias; /* [rows, inputs], [outputs, inputs], [outputs] or none */
    float *product;                 /* [rows, outputs] */
    size_t rows, outputs, inputs, taken;
    int past; /* the caches, where the matrix is read once */
    atomic_size_t next;
} Work;

/* Numbers in a line of the caches. Those read past these are asked for so far ahead. */
enum { LINE = 16, AHEAD = 4 * LINE };

#define INLINED static inline __attribute__((always_inline))

#define NAME(part) part##_by_four
#define LANES 4
#include "streamed_lanes.h"
#undef NAME
#undef LANES

static void plainly(void *work) { share_by_four(work); }

#if defined(__x86_64__)
#define NAME(part) part##_by_eight
#define LANES 8
#include "streamed_lanes.h"
__attribute__((target("avx2,fma"))) static void by_avx2(void *work) { share_by_eight(work); }

static int has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

/* From now on, of all threads; no sum depends on it. */
void headscope_streams(int count) { atomic_store(&streams_of_one, count == 4 ? 4 : 2); }

/* All arrays are float32 without gaps. Parts of the matrix go to whichever thread is free, and each row of it is added
 * up in one order: the sums do not depend on `threads`, nor on whether it is read `past` the caches. `parallel` may be
 * none; `plain` asks for no special version. */
void headscope_streamed(const float *x, const float *weight, const float *bias, float *product, size_t rows,
                        size_t outputs, size_t inputs, unsigned threads, Parallel parallel, int past, int plain) {
    const size_t threads_here = parallel && threads > 1 ? threads : 1;
    /* Each thread reads one long part, unless it has to come back to it. */
    size_t taken = (outputs + threads_here - 1) / threads_here;
    if (rows > MOST_ROWS && taken * inputs * sizeof(float) > KEPT) taken = KEPT / (inputs * sizeof(float)) + 1;
    Work work = {x, weight, bias, product, rows, outputs, inputs, taken, past, 0};
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
