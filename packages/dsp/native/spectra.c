/* What surrounds the Fourier transforms of the analysis: the window before, powers, magnitudes and chroma after it. Powers
   are summed in double precision. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

#define SIZE 8192
#define BINS (SIZE / 2 + 1)
#define CLASSES 12

static float frame[SIZE] __attribute__((aligned(16)));
static float window[SIZE] __attribute__((aligned(16)));
static float windowed[SIZE] __attribute__((aligned(16)));
/* As the transform writes it: the real parts of the first and of the last bin, then both parts of each bin between. */
static float packed[SIZE] __attribute__((aligned(16)));
static float power[BINS + 3] __attribute__((aligned(16)));
static float magnitude[BINS + 3] __attribute__((aligned(16)));
static double chroma_weights[BINS][CLASSES] __attribute__((aligned(16)));
static double chroma[CLASSES] __attribute__((aligned(16)));

void *EXPORT(frame_at)(void) { return frame; }
void *EXPORT(window_at)(void) { return window; }
void *EXPORT(windowed_at)(void) { return windowed; }
void *EXPORT(packed_at)(void) { return packed; }
void *EXPORT(power_at)(void) { return power; }
void *EXPORT(magnitude_at)(void) { return magnitude; }
void *EXPORT(chroma_weights_at)(void) { return chroma_weights; }
void *EXPORT(chroma_at)(void) { return chroma; }
int EXPORT(most_samples)(void) { return SIZE; }

/* Multiplies a frame by the window; the size is a multiple of four. */
void EXPORT(apply_window)(int size)
{
    for (int at = 0; at < size; at += 4)
        wasm_v128_store(windowed + at, wasm_f32x4_mul(wasm_v128_load(frame + at), wasm_v128_load(window + at)));
}

/* Returns how many neighbouring samples of a frame differ in being negative. */
int EXPORT(crossings)(int size)
{
    v128_t zero = wasm_f32x4_splat(0), sum = wasm_i32x4_splat(0);
    int at = 0;
    for (; at + 4 < size; at += 4)
    {
        v128_t here = wasm_f32x4_lt(wasm_v128_load(frame + at), zero);
        v128_t next = wasm_f32x4_lt(wasm_v128_load(frame + at + 1), zero);
        sum = wasm_i32x4_sub(sum, wasm_v128_xor(here, next));
    }
    int count = wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1) + wasm_i32x4_extract_lane(sum, 2) +
                wasm_i32x4_extract_lane(sum, 3);
    for (; at + 1 < size; at++) count += (frame[at] < 0) != (frame[at + 1] < 0);
    return count;
}

/* Computes power and magnitude of each bin from the packed spectrum of `size` samples. */
void EXPORT(measure)(int size)
{
    for (int at = 2; at < size; at += 4)
    {
        v128_t bins = wasm_v128_load(packed + at);
        v128_t first = wasm_f64x2_promote_low_f32x4(bins);
        v128_t second = wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(bins, bins, 2, 3, 2, 3));
        first = wasm_f64x2_mul(first, first), second = wasm_f64x2_mul(second, second);
        v128_t sums = wasm_f64x2_add(wasm_i64x2_shuffle(first, second, 0, 2), wasm_i64x2_shuffle(first, second, 1, 3));
        // The last pair lies behind the spectrum: its second bin is replaced below.
        wasm_v128_store64_lane(power + at / 2, wasm_f32x4_demote_f64x2_zero(sums), 0);
        wasm_v128_store64_lane(magnitude + at / 2, wasm_f32x4_demote_f64x2_zero(wasm_f64x2_sqrt(sums)), 0);
    }
    for (int end = 0; end < 2; end++)
    {
        double value = packed[end];
        int bin = end * size / 2;
        power[bin] = (float)(value * value);
        magnitude[bin] = (float)__builtin_sqrt(value * value);
    }
}

/* Sums the powers into twelve classes. */
void EXPORT(fold)(int bins)
{
    v128_t sums[CLASSES / 2];
    for (int i = 0; i < CLASSES / 2; i++) sums[i] = wasm_f64x2_splat(0);
    for (int bin = 0; bin < bins; bin++)
    {
        v128_t value = wasm_f64x2_splat((double)power[bin]);
#pragma unroll
        for (int i = 0; i < CLASSES / 2; i++)
            sums[i] = wasm_f64x2_add(sums[i], wasm_f64x2_mul(value, wasm_v128_load(chroma_weights[bin] + 2 * i)));
    }
    for (int i = 0; i < CLASSES / 2; i++) wasm_v128_store(chroma + 2 * i, sums[i]);
}
