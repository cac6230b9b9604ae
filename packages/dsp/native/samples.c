/* What the analysis computes for every sample of its input: valid samples, loudness, true peak, and half the sample rate.
   Two audio channels, or two outputs, are computed at once. All sums are in double precision and in the order of the
   samples, so that the results do not depend on how a stream is divided into blocks. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define INLINE static inline __attribute__((always_inline))

/* Largest number of samples of a call. */
#define BLOCK 4096
#define SPLAT wasm_f64x2_splat

/* Two audio channels. True peaks need the samples before the block as well. */
#define HISTORY 11
#define LEAD 16
static float channels[2][LEAD + BLOCK + 4] __attribute__((aligned(16)));
static float mono[BLOCK] __attribute__((aligned(16)));

void *EXPORT(channel_at)(int channel) { return channels[channel] + LEAD; }
void *EXPORT(mono_at)(void) { return mono; }
int EXPORT(block_size)(void) { return BLOCK; }

/* Replaces samples that are no numbers, or larger than `largest`, by 0, in the first `count` samples of a channel. */
void EXPORT(clean)(int channel, int count, float largest)
{
    float *samples = channels[channel] + LEAD;
    for (int at = 0; at < count; at += 4)
    {
        v128_t value = wasm_v128_load(samples + at);
        // A comparison with NaN is always false.
        wasm_v128_store(samples + at, wasm_v128_and(value, wasm_f32x4_le(wasm_f32x4_abs(value), wasm_f32x4_splat(largest))));
    }
}

/* Computes the mean of both channels. */
void EXPORT(mix)(int count)
{
    v128_t half = wasm_f32x4_splat(0.5f);
    for (int at = 0; at < count; at += 4)
    {
        v128_t left = wasm_v128_load(channels[0] + LEAD + at), right = wasm_v128_load(channels[1] + LEAD + at);
        wasm_v128_store(mono + at, wasm_f32x4_add(wasm_f32x4_mul(left, half), wasm_f32x4_mul(right, half)));
    }
}

/* Two second-order filters in a row, each b0, b1, b2, a1, a2; their states, and the sums of squares, of both channels. */
static double coefficients[2][5];
static v128_t states[2][2];
static v128_t squares;

void *EXPORT(coefficients_at)(void) { return coefficients; }
void *EXPORT(states_at)(void) { return states; }
void *EXPORT(squares_at)(void) { return &squares; }

/* One step of a filter in transposed direct form II. */
INLINE v128_t step(const double *c, v128_t *first, v128_t *second, v128_t x)
{
    v128_t y = wasm_f64x2_add(wasm_f64x2_mul(SPLAT(c[0]), x), *first);
    v128_t kept = wasm_f64x2_sub(wasm_f64x2_mul(SPLAT(c[1]), x), wasm_f64x2_mul(SPLAT(c[3]), y));
    *first = wasm_f64x2_add(kept, *second);
    *second = wasm_f64x2_sub(wasm_f64x2_mul(SPLAT(c[2]), x), wasm_f64x2_mul(SPLAT(c[4]), y));
    return y;
}

/* Decayed states must not become denormal numbers, which are slow. */
INLINE v128_t without_denormals(v128_t state)
{
    return wasm_v128_and(state, wasm_f64x2_ge(wasm_f64x2_abs(state), SPLAT(1e-30)));
}

/* Filters samples of both channels and writes the sums of their squares. */
void EXPORT(weigh)(int from, int count)
{
    const float *left = channels[0] + LEAD + from, *right = channels[1] + LEAD + from;
    v128_t state[4] = {states[0][0], states[0][1], states[1][0], states[1][1]};
    v128_t sum = SPLAT(0);
    for (int at = 0; at < count; at++)
    {
        v128_t x = wasm_f64x2_make(left[at], right[at]);
        x = step(coefficients[0], &state[0], &state[1], x);
        x = step(coefficients[1], &state[2], &state[3], x);
        sum = wasm_f64x2_add(sum, wasm_f64x2_mul(x, x));
    }
    squares = sum;
    states[0][0] = without_denormals(state[0]);
    states[0][1] = without_denormals(state[1]);
    states[1][0] = without_denormals(state[2]);
    states[1][1] = without_denormals(state[3]);
}

/* Four phases of twelve coefficients, and the largest ratio of an output to the samples around it. */
#define TAPS 12
#define PHASES 4
#define STRETCH 16
static double phases[PHASES][TAPS];
static double most_gain;

void *EXPORT(phases_at)(void) { return phases; }
void *EXPORT(most_gain_at)(void) { return &most_gain; }
void *EXPORT(history_at)(int channel) { return channels[channel] + LEAD - HISTORY; }

/* Returns the largest absolute value of `count` samples of a channel, of the values between them, and of `peak`. The eleven
   samples before them are in the buffer. */
double EXPORT(true_peak)(int channel, int count, double peak)
{
    float *samples = channels[channel] + LEAD;
    for (int at = count; at < count + 4; at++) samples[at] = 0;
    for (int at = 0; at < count; at += STRETCH)
    {
        int end = at + STRETCH < count ? at + STRETCH : count;
        v128_t loudest = wasm_f32x4_splat(0);
        for (int near = at - HISTORY - 1; near < end; near += 4)
            loudest = wasm_f32x4_pmax(loudest, wasm_f32x4_abs(wasm_v128_load(samples + near)));
        loudest = wasm_f32x4_pmax(loudest, wasm_i32x4_shuffle(loudest, loudest, 2, 3, 0, 1));
        loudest = wasm_f32x4_pmax(loudest, wasm_i32x4_shuffle(loudest, loudest, 1, 0, 3, 2));
        double largest = wasm_f32x4_extract_lane(loudest, 0);
        // A stretch that cannot exceed the peak changes nothing.
        if (largest * most_gain <= peak) continue;
        if (largest > peak) peak = largest;
        v128_t most = SPLAT(0);
        for (int sample = at; sample < end; sample += 2)
        {
            v128_t sums[PHASES] = {SPLAT(0), SPLAT(0), SPLAT(0), SPLAT(0)};
#pragma unroll
            for (int tap = 0; tap < TAPS; tap++)
            {
                v128_t value = wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(samples + sample - tap));
#pragma unroll
                for (int phase = 0; phase < PHASES; phase++)
                    sums[phase] = wasm_f64x2_add(sums[phase], wasm_f64x2_mul(SPLAT(phases[phase][tap]), value));
            }
            // What follows the end of an odd block is not known yet.
            v128_t keep = sample + 1 < end ? wasm_i64x2_splat(-1) : wasm_i64x2_make(-1, 0);
            for (int phase = 0; phase < PHASES; phase++)
                most = wasm_f64x2_pmax(most, wasm_v128_and(keep, wasm_f64x2_abs(sums[phase])));
        }
        double one = wasm_f64x2_extract_lane(most, 0), two = wasm_f64x2_extract_lane(most, 1);
        if (one > peak) peak = one;
        if (two > peak) peak = two;
    }
    return peak;
}

/* The window of a filter that halves the sample rate: its samples, those at even and those at odd positions. */
#define OUTPUTS 4096
#define MOST_SIDES 256
#define WINDOW (2 * (OUTPUTS + 2 * MOST_SIDES))
static double window[WINDOW] __attribute__((aligned(16)));
static double parts[2][WINDOW / 2] __attribute__((aligned(16)));
static double sides[MOST_SIDES];
static float halved[OUTPUTS] __attribute__((aligned(16)));

void *EXPORT(window_at)(void) { return window; }
void *EXPORT(sides_at)(void) { return sides; }
void *EXPORT(halved_at)(void) { return halved; }
int EXPORT(most_outputs)(void) { return OUTPUTS; }
int EXPORT(most_sides)(void) { return MOST_SIDES; }

/* Filters the window and keeps every second result. The middle of the first is at 2 * count_of_sides; the sides lie at odd
   distances from it, so that they all have the other parity and follow each other there. */
void EXPORT(halve)(int outputs, int count_of_sides, double middle)
{
    int length = 2 * outputs + 4 * count_of_sides;
    for (int at = 0; at < length; at += 2)
    {
        parts[0][at / 2] = window[at];
        parts[1][at / 2] = window[at + 1];
    }
    v128_t centre = SPLAT(middle);
    for (int n = 0; n < outputs; n += 4)
    {
        // Even and odd sides are summed apart, which shortens the chain of additions.
        v128_t even[2], odd[2] = {SPLAT(0), SPLAT(0)};
        for (int i = 0; i < 2; i++)
            even[i] = wasm_f64x2_mul(centre, wasm_v128_load(parts[0] + count_of_sides + n + 2 * i));
        const double *before = parts[1] + count_of_sides + n - 1, *after = parts[1] + count_of_sides + n;
        int side = 0;
        for (; side + 1 < count_of_sides; side += 2, before -= 2, after += 2)
        {
            v128_t first = SPLAT(sides[side]), second = SPLAT(sides[side + 1]);
            for (int i = 0; i < 2; i++)
            {
                v128_t near = wasm_f64x2_add(wasm_v128_load(before + 2 * i), wasm_v128_load(after + 2 * i));
                v128_t far = wasm_f64x2_add(wasm_v128_load(before + 2 * i - 1), wasm_v128_load(after + 2 * i + 1));
                even[i] = wasm_f64x2_add(even[i], wasm_f64x2_mul(first, near));
                odd[i] = wasm_f64x2_add(odd[i], wasm_f64x2_mul(second, far));
            }
        }
        if (side < count_of_sides)
            for (int i = 0; i < 2; i++)
            {
                v128_t near = wasm_f64x2_add(wasm_v128_load(before + 2 * i), wasm_v128_load(after + 2 * i));
                odd[i] = wasm_f64x2_add(odd[i], wasm_f64x2_mul(SPLAT(sides[side]), near));
            }
        v128_t low = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_add(even[0], odd[0]));
        v128_t high = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_add(even[1], odd[1]));
        wasm_v128_store(halved + n, wasm_i32x4_shuffle(low, high, 0, 1, 4, 5));
    }
}
