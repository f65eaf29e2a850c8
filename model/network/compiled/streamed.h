/* Streamed: the product of few rows; `streamed.c`. */

#ifndef HEADSCOPE_STREAMED_H
#define HEADSCOPE_STREAMED_H

#include <stddef.h>

/* GOMP_parallel of the OpenMP library that torch has loaded: the same threads serve both. */
typedef void (*Parallel)(void (*)(void *), void *, unsigned, unsigned);

void headscope_streamed(const float *x, const float *weight, const float *bias, float *product, size_t rows,
                        size_t outputs, size_t inputs, unsigned threads, Parallel parallel, int past, int plain);

#endif
