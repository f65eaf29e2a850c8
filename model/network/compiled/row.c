/* Row: a decoder layer for one token of one sentence, in three parts.
 *
 * Between them the attention weights are told to whoever looks at the heads, who may put others in their place. A
 * step reads all weights, which leaves nothing else in the caches: what a library takes for the small operations
 * between two products (normalise, split, softmax, add) is fetched from memory anew each time, code and all. This
 * fits into a few kilobytes. The numbers are those of `model.network.layers.DecoderLayer`, to rounding.
 *
 * `model.network.compiled_row` calls it through ctypes. Shapes: d d_model, h heads of width e, k keys, f inner.
 */

#include "streamed.h"

#include <math.h>
#include <string.h>

typedef struct {
    const float *weight, *bias; /* [outputs, inputs], [outputs] or none */
    size_t outputs, inputs;
    unsigned threads;
    int past; /* the caches */
} Matrix;

typedef struct {
    const float *weight, *bias; /* [d] each; bias or none */
    float epsilon;
} Norm;

enum Activation { RELU, GELU, SILU };

typedef struct {
    Matrix own_in, own_out, query, cross_out, first, second;
    Norm norms[3];
    size_t heads, width;
    int pre_norm, activation;
    Parallel parallel;
} Layer;

/* Keys or values [h, k, e], with gaps: numbers from one head and from one position to the next. */
typedef struct {
    float *at;
    size_t head, position, count;
} Kept;

static void multiply(const Layer *layer, const Matrix *matrix, const float *x, float *product) {
    headscope_streamed(x, matrix->weight, matrix->bias, product, 1, matrix->outputs, matrix->inputs, matrix->threads,
                       layer->parallel, matrix->past, 0);
}

/* Several sums side by side: one would wait for each addition. */
enum { SUMS = 16 };

static float total(const float *values, size_t count) {
    float sums[SUMS] = {0}, sum = 0;
    size_t at = 0;
    for (; at + SUMS <= count; at += SUMS)
        for (int lane = 0; lane < SUMS; lane++) sums[lane] += values[at + lane];
    for (; at < count; at++) sum += values[at];
    for (int lane = 0; lane < SUMS; lane++) sum += sums[lane];
    return sum;
}

static float dot(const float *left, const float *right, size_t count) {
    float sums[SUMS] = {0}, sum = 0;
    size_t at = 0;
    for (; at + SUMS <= count; at += SUMS)
        for (int lane = 0; lane < SUMS; lane++) sums[lane] += left[at + lane] * right[at + lane];
    for (; at < count; at++) sum += left[at] * right[at];
    for (int lane = 0; lane < SUMS; lane++) sum += sums[lane];
    return sum;
}

/* LayerNorm of x [d]; `result` may be x. */
static void normalise(const Norm *norm, const float *x, float *result, size_t d) {
    const float mean = total(x, d) / d;
    for (size_t i = 0; i < d; i++) result[i] = x[i] - mean;
    const float scale = 1 / sqrtf(dot(result, result, d) / d + norm->epsilon);
    for (size_t i = 0; i < d; i++) {
        result[i] *= scale * norm->weight[i];
        if (norm->bias) result[i] += norm->bias[i];
    }
}

/* Attention weights [h, k] of queries [h, e]. */
static void attend(const Layer *layer, const float *queries, const Kept *keys, float *pattern) {
    const float scale = 1 / sqrtf((float)layer->width);
    for (size_t head = 0; head < layer->heads; head++) {
        float *weights = pattern + head * keys->count, most = -INFINITY, sum = 0;
        for (size_t key = 0; key < keys->count; key++) {
            const float *at = keys->at + head * keys->head + key * keys->position;
            weights[key] = scale * dot(queries + head * layer->width, at, layer->width);
            if (weights[key] > most) most = weights[key];
        }
        for (size_t key = 0; key < keys->count; key++) sum += weights[key] = expf(weights[key] - most);
        for (size_t key = 0; key < keys->count; key++) weights[key] /= sum;
    }
}

/* Values mixed by a pattern [h, k] to [h, e]. */
static void mix(const Layer *layer, const float *pattern, const Kept *values, float *mixed) {
    memset(mixed, 0, layer->heads * layer->width * sizeof(float));
    for (size_t head = 0; head < layer->heads; head++)
        for (size_t key = 0; key < values->count; key++) {
            const float weight = pattern[head * values->count + key];
            const float *at = values->at + head * values->head + key * values->position;
            for (size_t i = 0; i < layer->width; i++) mixed[head * layer->width + i] += weight * at[i];
        }
}

static void activate(int activation, float *inner, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const float x = inner[i];
        if (activation == RELU)
            inner[i] = x > 0 || x != x ? x : 0;
        else if (activation == GELU)
            inner[i] = 0.5f * x * (1 + erff(x * (float)M_SQRT1_2));
        else
            inner[i] = x / (1 + expf(-x));
    }
}

/* x += y, and in post-norm normalised; `place` of the norm. */
static void add(const Layer *layer, int place, float *x, const float *y) {
    const size_t d = layer->own_in.inputs;
    for (size_t i = 0; i < d; i++) x[i] += y[i];
    if (!layer->pre_norm) normalise(&layer->norms[place], x, x, d);
}

/* What a sub-layer reads: x, in pre-norm normalised into `room`. */
static const float *read(const Layer *layer, int place, const float *x, float *room) {
    if (!layer->pre_norm) return x;
    normalise(&layer->norms[place], x, room, layer->own_in.inputs);
    return room;
}

/* Keys and values of x [d] are put behind `keys` and `values`, whose last place they are, and looked at by its queries:
 * pattern [h, k]. room: 4 d numbers. */
void headscope_row_self(const Layer *layer, const float *x, const Kept *keys, const Kept *values, float *pattern,
                        float *room) {
    const size_t d = layer->own_in.inputs, last = keys->count - 1;
    float *made = room + d;
    multiply(layer, &layer->own_in, read(layer, 0, x, room), made);
    for (size_t head = 0; head < layer->heads; head++) {
        const size_t bytes = layer->width * sizeof(float);
        const float *key = made + d + head * layer->width;
        memcpy(keys->at + head * keys->head + last * keys->position, key, bytes);
        memcpy(values->at + head * values->head + last * values->position, key + d, bytes);
    }
    attend(layer, made, keys, pattern);
}

/* Self-attention is added to x [d], and its queries look at the encoder's `keys`: cross [h, k]. room: 2 d numbers. */
void headscope_row_cross(const Layer *layer, float *x, const float *pattern, const Kept *values, const Kept *keys,
                         float *cross, float *room) {
    const size_t d = layer->own_in.inputs;
    mix(layer, pattern, values, room);
    multiply(layer, &layer->own_out, room, room + d);
    add(layer, 0, x, room + d);
    multiply(layer, &layer->query, read(layer, 1, x, room), room + d);
    attend(layer, room + d, keys, cross);
}

/* Cross-attention and the feed-forward network are added to x [d]. room: 2 d + f numbers. */
void headscope_row_feed(const Layer *layer, float *x, const float *cross, const Kept *values, float *room) {
    const size_t d = layer->own_in.inputs;
    float *inner = room + 2 * d;
    mix(layer, cross, values, room);
    multiply(layer, &layer->cross_out, room, room + d);
    add(layer, 1, x, room + d);
    multiply(layer, &layer->first, read(layer, 2, x, room), inner);
    activate(layer->activation, inner, layer->first.outputs);
    multiply(layer, &layer->second, inner, room);
    add(layer, 2, x, room);
}
