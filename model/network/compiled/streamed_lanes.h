/* Streamed, with vectors of LANES numbers; `streamed.c` takes this once for each size, with its own NAMEs. */

typedef float NAME(Lanes) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* `streams` rows of the matrix, `apart` rows from each other, times `rows` rows of x. These and `past` are constants
 * where it is called, so that all sums lie in registers. */
INLINED void NAME(dots)(const Work *work, size_t first, size_t output, size_t apart, const int rows,
                        const int streams, const int past) {
    /* Enough sums for what the processor adds to at once; of few rows a line of the cache, 64 bytes. How a row is added
     * up must not depend on `streams`, nor with it on who else takes part. */
    enum { PARTS = 16 / LANES };
    const int parts = rows < MOST_ROWS ? PARTS : 1;
    const size_t inputs = work->inputs;
    const float *x = work->x + first * inputs, *weight = work->weight + output * inputs;
    NAME(Lanes) sums[MOST_ROWS][MOST_STREAMS][PARTS] = {{{{0}}}};
    size_t at = 0;
    for (; at + parts * LANES <= inputs; at += parts * LANES)
        for (int stream = 0; stream < streams; stream++) {
            const float *from = weight + stream * apart * inputs + at;
            /* Behind the end of the matrix nothing is read: what is asked for ahead need not be there. */
            if (past && at % LINE == 0) __builtin_prefetch(from + AHEAD, 0, 0);
            for (int part = 0; part < parts; part++) {
                const NAME(Lanes) read = *(const NAME(Lanes) *)(from + part * LANES);
                for (int row = 0; row < rows; row++)
                    sums[row][stream][part] += read * *(const NAME(Lanes) *)(x + row * inputs + at + part * LANES);
            }
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
INLINED void NAME(some)(const Work *work, size_t first, size_t from, size_t to, const int rows, const int streams,
                        const int past) {
    const size_t apart = (to - from) / streams;
    for (size_t output = from; output < from + apart; output++)
        NAME(dots)(work, first, output, apart, rows, streams, past);
    for (size_t output = from + streams * apart; output < to; output++)
        NAME(dots)(work, first, output, 0, rows, 1, past);
}

/* The same times all rows of x. */
INLINED void NAME(all)(const Work *work, size_t from, size_t to, const int streams, const int past) {
    size_t row = 0;
    for (; row + 4 <= work->rows; row += 4) NAME(some)(work, row, from, to, 4, 2, past);
    for (; row + 2 <= work->rows; row += 2) NAME(some)(work, row, from, to, 2, 2, past);
    for (; row < work->rows; row++) NAME(some)(work, row, from, to, 1, streams, past);
}

/* What one thread does until nothing is left. */
INLINED void NAME(share)(Work *work) {
    const int more = atomic_load(&streams_of_one) == 4;
    /* Once: what is to be read again had better stay. */
    const int past = work->past && (work->rows <= 2 || work->rows == 4);
    for (;;) {
        const size_t from = atomic_fetch_add(&work->next, work->taken);
        if (from >= work->outputs) return;
        const size_t to = work->outputs - from < work->taken ? work->outputs : from + work->taken;
        if (past)
            more ? NAME(all)(work, from, to, 4, 1) : NAME(all)(work, from, to, 2, 1);
        else
            more ? NAME(all)(work, from, to, 4, 0) : NAME(all)(work, from, to, 2, 0);
    }
}
