/* The network of BeatNet (Heydari, Cwitkowitz, Duan, "BeatNet: CRNN and particle filtering for online joint beat,
   downbeat and meter tracking", ISMIR 2021): spectra of frames in, probabilities of a beat and of a downbeat out. The
   weights, the filters and the interpolation are not here: the caller copies them in and calls prepare().

   spectrum -> interpolated bins -> bands -> log, rise since the last frame -> convolution of two maps, pooled
   -> linear layer -> two recurrent layers -> three scores, normalised

   Frames are computed in blocks: everything but the recurrence is then a product of matrices. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define INLINE static inline __attribute__((always_inline))

#define FRAMES 60
#define FFT_BINS 1024
/* Bins of the network, and transformed bins from which each is interpolated. */
#define BINS 705
#define TAPS 12
#define MARGIN 16
#define BANDS 136
#define INPUTS (2 * BANDS)
#define MAPS 2
#define KERNEL 10
#define POOLED 131
#define UNITS 150
#define GATES (4 * UNITS)
/* Sizes as multiples of a vector; the rest stays zero. */
#define POOLED_PADDED 264
#define UNITS_PADDED 152
#define GATES_PADDED (4 * UNITS_PADDED)
/* Outputs that are computed together, in the products of matrices and in the recurrence. */
#define PANEL 8
#define WIDE_PANEL 32
/* Rows that are multiplied together: with two vectors each, their sums stay in registers; with six they did not. */
#define ROWS 4

/* The weights as the caller writes them: outputs x inputs. */
static struct
{
    float conv[MAPS][KERNEL], conv_bias[MAPS];
    float linear[UNITS][MAPS * POOLED], linear_bias[UNITS];
    struct
    {
        float input[GATES][UNITS], recurrent[GATES][UNITS], bias[GATES];
    } lstm[2];
    float last[3][UNITS], last_bias[3];
} weights;

/* First transformed bin, and real weights of the transformed bins, for each bin; each weight twice. */
static int32_t tap_starts[BINS];
static float taps[BINS][2 * TAPS] __attribute__((aligned(16)));
/* First bin and number of bins of each band, and the weights one after another. */
static int32_t band_starts[BANDS], band_lengths[BANDS];
static float band_weights[2 * BINS];

/* The spectrum: real and imaginary part of each bin. */
static float spectrum[FFT_BINS + 1][2];
static float features[FRAMES][INPUTS] __attribute__((aligned(16)));
static float scores[FRAMES][4];

/* What a stream keeps between blocks: the bands of the last frame, whether there is one, and the recurrent layers. */
static struct
{
    float bands[BANDS], has_bands[4];
    float hidden[2][UNITS_PADDED], cell[2][UNITS_PADDED];
} state __attribute__((aligned(16)));

void *EXPORT(weights_at)(void) { return &weights; }
int EXPORT(weights_size)(void) { return sizeof weights / sizeof(float); }
void *EXPORT(tap_starts_at)(void) { return tap_starts; }
void *EXPORT(taps_at)(void) { return taps; }
void *EXPORT(band_starts_at)(void) { return band_starts; }
void *EXPORT(band_lengths_at)(void) { return band_lengths; }
void *EXPORT(band_weights_at)(void) { return band_weights; }
void *EXPORT(spectrum_at)(void) { return spectrum; }
void *EXPORT(features_at)(void) { return features; }
void *EXPORT(scores_at)(void) { return scores; }
void *EXPORT(state_at)(void) { return &state; }
int EXPORT(state_size)(void) { return sizeof state / sizeof(float); }

/* The weights in the order of use: panels of outputs, inputs, outputs of the panel. */
static float linear[UNITS_PADDED / PANEL][POOLED_PADDED][PANEL] __attribute__((aligned(16)));
static float linear_bias[UNITS_PADDED] __attribute__((aligned(16)));
static float input[2][GATES_PADDED / PANEL][UNITS_PADDED][PANEL] __attribute__((aligned(16)));
static float recurrent[2][GATES_PADDED / WIDE_PANEL][UNITS_PADDED][WIDE_PANEL] __attribute__((aligned(16)));
static float gate_bias[2][GATES_PADDED] __attribute__((aligned(16)));

static float padded[FFT_BINS + 1 + 2 * MARGIN][2] __attribute__((aligned(16)));
static float magnitudes[BINS];
static float pooled[FRAMES][POOLED_PADDED] __attribute__((aligned(16)));
static float units[FRAMES][UNITS_PADDED] __attribute__((aligned(16)));
static float gates[FRAMES][GATES_PADDED] __attribute__((aligned(16)));

#define SPLAT wasm_f32x4_splat
INLINE v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
INLINE v128_t mul(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }
/* sum + a * b, rounded once or twice as the processor is faster. */
INLINE v128_t fma4(v128_t a, v128_t b, v128_t sum) { return wasm_f32x4_relaxed_madd(a, b, sum); }

/* Where a gate of a unit is: the four gates of four units follow each other. */
static int gate_at(int gate) { return gate % UNITS / 4 * 16 + gate / UNITS * 4 + gate % UNITS % 4; }

/* Lays the weights out in the order of use. To be called once they are in. */
void EXPORT(prepare)(void)
{
    for (int out = 0; out < UNITS; out++)
    {
        linear_bias[out] = weights.linear_bias[out];
        for (int map = 0; map < MAPS; map++)
            for (int i = 0; i < POOLED; i++)
                linear[out / PANEL][map * (POOLED_PADDED / MAPS) + i][out % PANEL] = weights.linear[out][map * POOLED + i];
    }
    for (int layer = 0; layer < 2; layer++)
        for (int gate = 0; gate < GATES; gate++)
        {
            int at = gate_at(gate);
            gate_bias[layer][at] = weights.lstm[layer].bias[gate];
            for (int i = 0; i < UNITS; i++)
            {
                input[layer][at / PANEL][i][at % PANEL] = weights.lstm[layer].input[gate][i];
                recurrent[layer][at / WIDE_PANEL][i][at % WIDE_PANEL] = weights.lstm[layer].recurrent[gate][i];
            }
        }
}

/* log10(1 + x) for x >= 0: the series of the inverse hyperbolic tangent around a power of two, within 1e-7. */
static float log10_above_1(float x)
{
    union
    {
        float value;
        int32_t bits;
    } split = {1 + x};
    int exponent = (split.bits - 0x3f3504f3) >> 23;
    split.bits -= exponent << 23;
    float s = (split.value - 1) / (split.value + 1), square = s * s;
    float log = 2 * s * (1 + square * (1.f / 3 + square * (1.f / 5 + square * (1.f / 7 + square * (1.f / 9)))));
    return 0.43429448f * (log + 0.69314718f * (float)exponent);
}

/* Adds the features of a frame, whose spectrum is in the buffer, as the row `frame` of the block. */
void EXPORT(add_frame)(int frame)
{
    for (int bin = 0; bin <= FFT_BINS; bin++)
        for (int part = 0; part < 2; part++) padded[MARGIN + bin][part] = spectrum[bin][part];
    for (int i = 1; i <= MARGIN; i++)
    {
        padded[MARGIN - i][0] = spectrum[i][0];
        padded[MARGIN - i][1] = -spectrum[i][1];
        padded[MARGIN + FFT_BINS + i][0] = spectrum[FFT_BINS - i][0];
        padded[MARGIN + FFT_BINS + i][1] = -spectrum[FFT_BINS - i][1];
    }
    for (int bin = 0; bin < BINS; bin++)
    {
        const float *from = padded[MARGIN + tap_starts[bin]];
        v128_t sum = SPLAT(0);
#pragma unroll
        for (int i = 0; i < 2 * TAPS; i += 4) sum = fma4(wasm_v128_load(from + i), wasm_v128_load(&taps[bin][i]), sum);
        float re = wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 2);
        float im = wasm_f32x4_extract_lane(sum, 1) + wasm_f32x4_extract_lane(sum, 3);
        magnitudes[bin] = __builtin_sqrtf(re * re + im * im);
    }
    const float *weight = band_weights;
    for (int band = 0; band < BANDS; band++)
    {
        const float *from = magnitudes + band_starts[band];
        float sum = 0;
        for (int i = 0; i < band_lengths[band]; i++) sum += from[i] * *weight++;
        float value = log10_above_1(sum), rise = value - state.bands[band];
        features[frame][band] = value;
        features[frame][BANDS + band] = rise > 0 && state.has_bands[0] > 0 ? rise : 0;
        state.bands[band] = value;
    }
    state.has_bands[0] = 1;
}

/* The first layer of a frame: two maps, rectified, the larger of each pair. */
static void convolve(const float *in, float *out)
{
    for (int map = 0; map < MAPS; map++)
    {
        v128_t bias = SPLAT(weights.conv_bias[map]);
        float *to = out + map * (POOLED_PADDED / MAPS);
        for (int at = 0; at < 2 * POOLED; at += 8)
        {
            // The last block computes some outputs again.
            int from = at + 8 > 2 * POOLED ? 2 * POOLED - 8 : at;
            v128_t low = bias, high = bias;
#pragma unroll
            for (int i = 0; i < KERNEL; i++)
            {
                v128_t tap = SPLAT(weights.conv[map][i]);
                low = fma4(tap, wasm_v128_load(in + from + i), low);
                high = fma4(tap, wasm_v128_load(in + from + i + 4), high);
            }
            v128_t even = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6), odd = wasm_i32x4_shuffle(low, high, 1, 3, 5, 7);
            wasm_v128_store(to + from / 2, wasm_f32x4_max(wasm_f32x4_max(even, odd), SPLAT(0)));
        }
    }
}

/* out[row][0..7] = bias + sum over k of in[row][k] * kernel[k][0..7]; at least four rows. */
static void multiply(const float *in, int rows, int depth, const float *kernel, const float *bias, float *out, int width)
{
    v128_t bias_low = wasm_v128_load(bias), bias_high = wasm_v128_load(bias + 4);
    for (int first = 0; first < rows; first += ROWS)
    {
        // The last block computes some rows again.
        int from = first + ROWS > rows ? rows - ROWS : first;
        const float *a = in + from * depth, *b = kernel;
        v128_t low[ROWS], high[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) low[i] = bias_low, high[i] = bias_high;
        for (int k = 0; k < depth; k++, a++, b += PANEL)
        {
            v128_t b_low = wasm_v128_load(b), b_high = wasm_v128_load(b + 4);
#pragma unroll
            for (int i = 0; i < ROWS; i++)
            {
                v128_t value = wasm_v128_load32_splat(a + i * depth);
                low[i] = fma4(value, b_low, low[i]);
                high[i] = fma4(value, b_high, high[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++)
        {
            wasm_v128_store(out + (from + i) * width, low[i]);
            wasm_v128_store(out + (from + i) * width + 4, high[i]);
        }
    }
}

/* sums += hidden x kernel, for the outputs of one panel. */
INLINE void add_recurrent(const float *hidden, const float *kernel, float *sums)
{
    v128_t sum[WIDE_PANEL / 4];
#pragma unroll
    for (int i = 0; i < WIDE_PANEL / 4; i++) sum[i] = wasm_v128_load(sums + 4 * i);
    for (int k = 0; k < UNITS; k++, kernel += WIDE_PANEL)
    {
        v128_t value = wasm_v128_load32_splat(hidden + k);
#pragma unroll
        for (int i = 0; i < WIDE_PANEL / 4; i++) sum[i] = fma4(value, wasm_v128_load(kernel + 4 * i), sum[i]);
    }
#pragma unroll
    for (int i = 0; i < WIDE_PANEL / 4; i++) wasm_v128_store(sums + 4 * i, sum[i]);
}

/* e^x, within 2e-7. */
INLINE v128_t exponential(v128_t x)
{
    v128_t scaled = mul(wasm_f32x4_max(wasm_f32x4_min(x, SPLAT(80)), SPLAT(-80)), SPLAT(1.44269504f));
    v128_t whole = wasm_f32x4_nearest(scaled), part = wasm_f32x4_sub(scaled, whole);
    v128_t power = SPLAT(1.53533535e-4f);
    power = fma4(power, part, SPLAT(1.33988744e-3f));
    power = fma4(power, part, SPLAT(9.61843736e-3f));
    power = fma4(power, part, SPLAT(5.55033247e-2f));
    power = fma4(power, part, SPLAT(2.40226479e-1f));
    power = fma4(power, part, SPLAT(6.93147182e-1f));
    power = fma4(power, part, SPLAT(1));
    return wasm_i32x4_add(power, wasm_i32x4_shl(wasm_i32x4_trunc_sat_f32x4(whole), 23));
}

/* 1 / (1 + e^-x). */
INLINE v128_t sigmoid(v128_t x)
{
    return wasm_f32x4_div(SPLAT(1), add(SPLAT(1), exponential(wasm_f32x4_neg(x))));
}

/* tanh x = 2 / (1 + e^-2x) - 1. */
INLINE v128_t hyperbolic_tangent(v128_t x)
{
    return wasm_f32x4_sub(mul(SPLAT(2), sigmoid(mul(SPLAT(2), x))), SPLAT(1));
}

/* Replaces the units of all frames by the outputs of a recurrent layer. */
static void run_layer(int layer, int rows, int count)
{
    for (int panel = 0; panel < GATES_PADDED / PANEL; panel++)
        multiply(units[0], rows, UNITS_PADDED, input[layer][panel][0], gate_bias[layer] + panel * PANEL,
                 gates[0] + panel * PANEL, GATES_PADDED);
    float *hidden = state.hidden[layer], *cell = state.cell[layer];
    for (int frame = 0; frame < count; frame++)
    {
        float *sums = gates[frame];
        for (int panel = 0; panel < GATES_PADDED / WIDE_PANEL; panel++)
            add_recurrent(hidden, recurrent[layer][panel][0], sums + panel * WIDE_PANEL);
        for (int unit = 0; unit < UNITS_PADDED; unit += 4, sums += 16)
        {
            v128_t kept = mul(sigmoid(wasm_v128_load(sums + 4)), wasm_v128_load(cell + unit));
            v128_t now = fma4(sigmoid(wasm_v128_load(sums)), hyperbolic_tangent(wasm_v128_load(sums + 8)), kept);
            v128_t out = mul(sigmoid(wasm_v128_load(sums + 12)), hyperbolic_tangent(now));
            wasm_v128_store(cell + unit, now);
            wasm_v128_store(hidden + unit, out);
            wasm_v128_store(units[frame] + unit, out);
        }
    }
}

/* Computes the probabilities of a beat, a downbeat and neither for the first `count` frames of the block. */
void EXPORT(run)(int count)
{
    int rows = count < ROWS ? ROWS : count;
    for (int frame = 0; frame < count; frame++) convolve(features[frame], pooled[frame]);
    for (int panel = 0; panel < UNITS_PADDED / PANEL; panel++)
        multiply(pooled[0], rows, POOLED_PADDED, linear[panel][0], linear_bias + panel * PANEL, units[0] + panel * PANEL,
                 UNITS_PADDED);
    for (int layer = 0; layer < 2; layer++) run_layer(layer, rows, count);
    for (int frame = 0; frame < count; frame++)
    {
        float value[4] __attribute__((aligned(16))) = {-80, -80, -80, -80};
        for (int out = 0; out < 3; out++)
        {
            value[out] = weights.last_bias[out];
            for (int i = 0; i < UNITS; i++) value[out] += units[frame][i] * weights.last[out][i];
        }
        float largest = value[0] > value[1] ? value[0] : value[1];
        if (value[2] > largest) largest = value[2];
        v128_t power = exponential(wasm_f32x4_sub(wasm_v128_load(value), SPLAT(largest)));
        wasm_v128_store(value, power);
        float sum = value[0] + value[1] + value[2];
        for (int out = 0; out < 3; out++) scores[frame][out] = value[out] / sum;
    }
}
