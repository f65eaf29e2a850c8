/* Streamed, with vectors of LANES numbers; `streamed.c` takes this once for each size, with its own NAMEs. */

typedef float NAME(Lanes) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* `streams` rows of the matrix, `apart` rows from each other, times `rows` rows of x. Both are constants where it is
 * called, so that all sums lie in registers. */
INLINED void NAME(dots)(const Work *work, size_t first, size_t output, size_t apart, const int rows,
                        const int streams) {
    /* Enough sums for what the processor adds to at once; of few rows a line of the cache, 64 bytes. How a row is added
     * up must not depend on `streams`, nor with it on who else takes part. */
    enum { PARTS = 16 / LANES };
    const int parts = rows < MOST_ROWS ? PARTS : 1;
    const size_t inputs = work->inputs;
    const float *x = work->x + first * inputs, *weight = work->weight + output * inputs;
    NAME(Lanes) sums[MOST_ROWS][MOST_STREAMS][PARTS] = {{{{0}}}};
    size_t at = 0;
    for (; at + parts * LANES <= inputs; at += parts * LANES)
        for (int stream = 0; stream < streams; stream++)
            for (int part = 0; part < parts; part++) {
                const size_t here = at + part * LANES;
                const NAME(Lanes) read = *(const NAME(Lanes) *)(weight + stream * apart * inputs + here);
                for (int row = 0; row < rows; row++)
                    sums[row][stream][part] += read * *(const NAME(Lanes) *)(x + row * inputs + here);
            }
    for (int row = 0; row < rows; row++)
        for (int stream = 0; stream < streams; stream++) {
            const size_t to = output + stream * apart;
            NAME(Lanes) all = sums[row][stream][0];
            for (int part = 1; part < parts; part++) all += sums[row][stream][part];
            float sum = work->bias ? work->bias[to] : 0;
            for (int lane = 0; lane < LANES; lane++) sum += all[lane];
            for (size_t rest = at; rest < inputs; rest++)
                sum += work->weight[to * inputs + rest] * x[row * inputs + rest];
            work->product[(first + row) * work->outputs + to] = sum;
        }
}

/* Rows `from` to `to` of the matrix times some rows of x. */
INLINED void NAME(some)(const Work *work, size_t first, size_t from, size_t to, const int rows, const int streams) {
    const size_t apart = (to - from) / streams;
    for (size_t output = from; output < from + apart; output++) NAME(dots)(work, first, output, apart, rows, streams);
    for (size_t output = from + streams * apart; output < to; output++) NAME(dots)(work, first, output, 0, rows, 1);
}

/* What one thread does until nothing is left. */
INLINED void NAME(share)(Work *work) {
    const int streams = atomic_load(&streams_of_one);
    for (;;) {
        const size_t from = atomic_fetch_add(&work->next, work->taken);
        if (from >= work->outputs) return;
        const size_t to = work->outputs - from < work->taken ? work->outputs : from + work->taken;
        size_t row = 0;
        for (; row + 4 <= work->rows; row += 4) NAME(some)(work, row, from, to, 4, 2);
        for (; row + 2 <= work->rows; row += 2) NAME(some)(work, row, from, to, 2, 2);
        for (; row < work->rows; row++)
            if (streams == 4)
                NAME(some)(work, row, from, to, 1, 4);
            else
                NAME(some)(work, row, from, to, 1, 2);
    }
}
