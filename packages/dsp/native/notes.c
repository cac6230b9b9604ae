/* Sound in, how much each frame is a note, its beginning and its pitch out: the network of Basic Pitch (Bittner et al.,
   "A lightweight instrument-agnostic model for polyphonic note transcription and multipitch estimation", ICASSP 2022)
   for one window. The weights are not here: the caller puts them in and says so once.

   samples -> constant-Q magnitudes -> log, 0..1 -> eight harmonics above each other -> convolutions -> three maps */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

#define SAMPLES 43844
#define FRAMES 172
#define HOP 256
#define OCTAVES 9
#define OCTAVE_BINS 36
#define BINS 309
#define KERNEL 256
#define CONTOURS 264
#define PITCHES 88
#define HARMONICS 8
/* Outputs that are computed together: two vectors. */
#define GROUP 8
/* Positions that are computed together: with two vectors each they fill the registers. */
#define BLOCK 6

/* Bins by which the harmonics 1/2, 1, 2 ... 7 lie above their fundamental. */
static const int shifts[HARMONICS] = {-36, 0, 36, 57, 72, 84, 93, 101};

/* As they come, in this order. */
static struct
{
    float lowpass[KERNEL];
    float cosines[OCTAVE_BINS][KERNEL], sines[OCTAVE_BINS][KERNEL];
    float loudness[BINS];
    float scale, offset;
    float contour_first[3][39][HARMONICS][8], contour_first_bias[8];
    float contour_last[5][5][8], contour_last_bias;
    float note_first[7][7][32], note_first_bias[32];
    float note_last[7][3][32], note_last_bias;
    float onset_first[5][5][HARMONICS][32], onset_first_bias[32];
    float onset_last[3][3][33], onset_last_bias;
} weights;

static float samples[SAMPLES];
static float onsets[FRAMES][PITCHES], notes[FRAMES][PITCHES], contours[FRAMES][CONTOURS];

void *EXPORT(weights_at)(void) { return &weights; }
int EXPORT(weights_size)(void) { return sizeof weights / sizeof(float); }
void *EXPORT(samples_at)(void) { return samples; }
int EXPORT(samples_size)(void) { return SAMPLES; }
void *EXPORT(onsets_at)(void) { return onsets; }
void *EXPORT(notes_at)(void) { return notes; }
void *EXPORT(contours_at)(void) { return contours; }

/* A convolution to many maps: where its taps lie from a position, and its weights, eight outputs together. */
#define MANY(name, taps, outs)                                                                                         \
    static int name##_at[taps];                                                                                        \
    static float name##_weights[(outs) / GROUP][taps][GROUP]

/* Taps of the first contour layer within a frame, counted from the bin itself: the kernels of all harmonics in one. */
#define FIRST_BELOW 55
#define FIRST_TAPS 176

MANY(constant_q, KERNEL, 2 * OCTAVE_BINS);
MANY(inside, 3 * FIRST_TAPS, 8);
MANY(edge, 3 * 39 * HARMONICS, 8);
MANY(note, 7 * 7, 32);
MANY(onset, 5 * 5 * HARMONICS, 32);
static float no_bias[2 * OCTAVE_BINS];
/* A pitch's 32 maps of the onset layer, its note, and three that stay 0. */
#define ONSET_MAPS 36
static float onset_last[3][3][ONSET_MAPS];

/* Zeros around everything, so that no position is at an edge. */
#define LOG_LEFT 36
#define LOG_WIDTH (LOG_LEFT + 368)
static float log_power[FRAMES + 2][LOG_WIDTH];
#define STACK_LEFT 19
#define STACK_WIDTH (CONTOURS + 2 * STACK_LEFT)
static float stack[FRAMES + 4][STACK_WIDTH][HARMONICS];
static float contour_maps[FRAMES + 4][CONTOURS + 4][8];
static float contour_padded[FRAMES + 6][CONTOURS + 8];
static float note_maps[FRAMES + 6][PITCHES + 2][32];
static float onset_maps[FRAMES + 2][PITCHES + 2][ONSET_MAPS];
static float padded[SAMPLES + KERNEL], halved[SAMPLES / 2 + 1], octave[FRAMES][2 * OCTAVE_BINS];

#define PACK(layer, outs, tap, out, value) layer##_weights[(out) / GROUP][tap][(out) % GROUP] = (value)

/* To be called once, when the weights are in: lays them out as they are used. */
void EXPORT(prepare)(void)
{
    for (int tap = 0; tap < KERNEL; tap++)
    {
        constant_q_at[tap] = tap;
        for (int bin = 0; bin < OCTAVE_BINS; bin++)
        {
            PACK(constant_q, 72, tap, bin, weights.cosines[bin][tap]);
            PACK(constant_q, 72, tap, OCTAVE_BINS + bin, weights.sines[bin][tap]);
        }
    }
    for (int row = 0; row < 3; row++)
    {
        for (int tap = 0; tap < FIRST_TAPS; tap++) inside_at[row * FIRST_TAPS + tap] = row * LOG_WIDTH + tap - FIRST_BELOW;
        for (int tap = 0; tap < 39; tap++)
        {
            for (int harmonic = 0; harmonic < HARMONICS; harmonic++)
            {
                int at = (row * 39 + tap) * HARMONICS + harmonic;
                edge_at[at] = (row * STACK_WIDTH + tap - 19) * HARMONICS + harmonic;
                for (int out = 0; out < 8; out++)
                {
                    float weight = weights.contour_first[row][tap][harmonic][out];
                    PACK(edge, 8, at, out, weight);
                    inside_weights[0][row * FIRST_TAPS + FIRST_BELOW + shifts[harmonic] + tap - 19][out] += weight;
                }
            }
        }
    }
    for (int row = 0; row < 7; row++)
    {
        for (int tap = 0; tap < 7; tap++)
        {
            note_at[row * 7 + tap] = row * (CONTOURS + 8) + tap - 2;
            for (int out = 0; out < 32; out++) PACK(note, 32, row * 7 + tap, out, weights.note_first[row][tap][out]);
        }
    }
    for (int row = 0; row < 5; row++)
    {
        for (int tap = 0; tap < 5; tap++)
        {
            for (int harmonic = 0; harmonic < HARMONICS; harmonic++)
            {
                int at = (row * 5 + tap) * HARMONICS + harmonic;
                onset_at[at] = (row * STACK_WIDTH + tap - 1) * HARMONICS + harmonic;
                for (int out = 0; out < 32; out++)
                    PACK(onset, 32, at, out, weights.onset_first[row][tap][harmonic][out]);
            }
        }
    }
    for (int row = 0; row < 3; row++)
    {
        for (int tap = 0; tap < 3; tap++)
        {
            memcpy(onset_last[row][tap], weights.onset_last[row][tap] + 1, 32 * sizeof(float));
            onset_last[row][tap][32] = weights.onset_last[row][tap][0];
        }
    }
}

/* Eight outputs at six positions, `step` floats apart. */
static inline void convolve_block(const float *in, int step, const int *at, int taps, const float (*w)[GROUP],
                                  const float *bias, float lowest, float *out, int out_step)
{
    v128_t low[BLOCK], high[BLOCK];
    for (int i = 0; i < BLOCK; i++)
    {
        low[i] = wasm_v128_load(bias);
        high[i] = wasm_v128_load(bias + 4);
    }
    for (int tap = 0; tap < taps; tap++)
    {
        const float *from = in + at[tap];
        v128_t w_low = wasm_v128_load(w[tap]), w_high = wasm_v128_load(w[tap] + 4);
#pragma unroll
        for (int i = 0; i < BLOCK; i++)
        {
            v128_t value = wasm_v128_load32_splat(from + i * step);
            low[i] = wasm_f32x4_add(low[i], wasm_f32x4_mul(value, w_low));
            high[i] = wasm_f32x4_add(high[i], wasm_f32x4_mul(value, w_high));
        }
    }
    v128_t floor = wasm_f32x4_splat(lowest);
    for (int i = 0; i < BLOCK; i++)
    {
        wasm_v128_store(out + i * out_step, wasm_f32x4_max(low[i], floor));
        wasm_v128_store(out + i * out_step + 4, wasm_f32x4_max(high[i], floor));
    }
}

/* All outputs at `positions` (six or more), none of them under `lowest`. */
static inline void convolve(const float *in, int step, int positions, const int *at, int taps, const float *w, int groups,
                            const float *bias, float lowest, float *out, int out_step)
{
    for (int group = 0; group < groups; group++)
    {
        const float(*mine)[GROUP] = (const float(*)[GROUP])w + group * taps;
        for (int first = 0; first < positions; first += BLOCK)
        {
            // The last block goes over what is already there again.
            int from = first + BLOCK > positions ? positions - BLOCK : first;
            convolve_block(in + from * step, step, at, taps, mine, bias + group * GROUP, lowest,
                           out + from * out_step + group * GROUP, out_step);
        }
    }
}

static inline float sum_of(v128_t v)
{
    return wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1) +
           (wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3));
}

/* One output at `positions` (four or more): of `rows` rows, `length` floats each (a multiple of four). */
static inline void weigh(const float *in, int step, int positions, int row_step, int rows, int length, const float *w,
                         float bias, float *out)
{
    for (int first = 0; first < positions; first += 4)
    {
        int from = first + 4 > positions ? positions - 4 : first;
        v128_t sum[4] = {wasm_f32x4_splat(0), wasm_f32x4_splat(0), wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
        for (int row = 0; row < rows; row++)
        {
            const float *line = in + from * step + row * row_step;
            for (int i = 0; i < length; i += 4)
            {
                v128_t weight = wasm_v128_load(w + row * length + i);
#pragma unroll
                for (int k = 0; k < 4; k++)
                    sum[k] = wasm_f32x4_add(sum[k], wasm_f32x4_mul(weight, wasm_v128_load(line + k * step + i)));
            }
        }
        for (int k = 0; k < 4; k++) out[from + k] = bias + sum_of(sum[k]);
    }
}

static void sigmoid(float *values, int count)
{
    for (int i = 0; i < count; i++) values[i] = 1 / (1 + expf(-values[i]));
}

/* Magnitudes of 309 bins, three a semitone from 27.5 Hz, octave by octave from the top, each at half the rate. */
static void analyze(void)
{
    int length = SAMPLES, hop = HOP;
    const float *sound = samples;
    for (int below = 0; below < OCTAVES; below++)
    {
        const int reach = KERNEL / 2;
        memcpy(padded + reach, sound, length * sizeof(float));
        for (int i = 1; i <= reach; i++)
        {
            padded[reach - i] = sound[i];
            padded[reach + length - 1 + i] = sound[length - 1 - i];
        }
        convolve(padded, hop, FRAMES, constant_q_at, KERNEL, &constant_q_weights[0][0][0], 9, no_bias, -INFINITY,
                 &octave[0][0], 2 * OCTAVE_BINS);
        int first = BINS - OCTAVE_BINS * (below + 1);
        for (int bin = first < 0 ? -first : 0; bin < OCTAVE_BINS; bin++)
        {
            float gain = weights.loudness[first + bin];
            for (int frame = 0; frame < FRAMES; frame++)
            {
                float re = octave[frame][bin] * gain, im = octave[frame][OCTAVE_BINS + bin] * gain;
                log_power[frame + 1][LOG_LEFT + first + bin] = re * re + im * im;
            }
        }
        if (below == OCTAVES - 1) break;
        /* What is beside the sound is 0 here, and mirrored above. */
        memset(padded, 0, (reach - 1) * sizeof(float));
        memmove(padded + reach - 1, padded + reach, length * sizeof(float));
        memset(padded + reach - 1 + length, 0, (reach + 1) * sizeof(float));
        int half = (length - 2) / 2 + 1;
        weigh(padded, 2, half, 0, 1, KERNEL, weights.lowpass, 0, halved);
        sound = halved;
        length = half;
        hop /= 2;
    }
}

/* Decibels over the quietest of the window as a part of its range, then the scale of the training. */
static void normalize(void)
{
    float least = INFINITY, most = -INFINITY;
    for (int frame = 1; frame <= FRAMES; frame++)
    {
        float *row = log_power[frame] + LOG_LEFT;
        for (int bin = 0; bin < BINS; bin++)
        {
            row[bin] = 4.342944622f * logf(row[bin] + 1e-10f);
            if (row[bin] < least) least = row[bin];
            if (row[bin] > most) most = row[bin];
        }
    }
    float range = most - least;
    for (int frame = 1; frame <= FRAMES; frame++)
    {
        float *row = log_power[frame] + LOG_LEFT;
        for (int bin = 0; bin < BINS; bin++)
        {
            float part = range > 0 ? (row[bin] - least) / range : 0;
            row[bin] = part * weights.scale + weights.offset;
        }
    }
}

static void stack_harmonics(void)
{
    for (int frame = 0; frame < FRAMES; frame++)
    {
        const float *row = log_power[frame + 1] + LOG_LEFT;
        for (int harmonic = 0; harmonic < HARMONICS; harmonic++)
        {
            for (int bin = 0; bin < CONTOURS; bin++)
            {
                int from = bin + shifts[harmonic];
                stack[frame + 2][STACK_LEFT + bin][harmonic] = from >= 0 && from < BINS ? row[from] : 0;
            }
        }
    }
}

static void find_contours(void)
{
    /* Harmonics end where the contours end: 19 bins from there a kernel sees that, further inside all are one. */
    const int margin = 19, right = CONTOURS - margin;
    for (int frame = 0; frame < FRAMES; frame++)
    {
        float(*out)[8] = contour_maps[frame + 2] + 2;
        convolve(log_power[frame] + LOG_LEFT + margin, 1, right - margin, inside_at, 3 * FIRST_TAPS,
                 &inside_weights[0][0][0], 1, weights.contour_first_bias, 0, out[margin], 8);
        const float *left_in = stack[frame + 1][STACK_LEFT], *right_in = stack[frame + 1][STACK_LEFT + right];
        convolve(left_in, HARMONICS, margin, edge_at, 3 * 39 * HARMONICS, &edge_weights[0][0][0], 1,
                 weights.contour_first_bias, 0, out[0], 8);
        convolve(right_in, HARMONICS, margin, edge_at, 3 * 39 * HARMONICS, &edge_weights[0][0][0], 1,
                 weights.contour_first_bias, 0, out[right], 8);
    }
    for (int frame = 0; frame < FRAMES; frame++)
    {
        weigh(contour_maps[frame][0], 8, CONTOURS, (CONTOURS + 4) * 8, 5, 40, &weights.contour_last[0][0][0],
              weights.contour_last_bias, contours[frame]);
        sigmoid(contours[frame], CONTOURS);
        memcpy(contour_padded[frame + 3] + 4, contours[frame], sizeof contours[frame]);
    }
}

static void find_notes(void)
{
    for (int frame = 0; frame < FRAMES; frame++)
        convolve(contour_padded[frame] + 4, 3, PITCHES, note_at, 7 * 7, &note_weights[0][0][0], 4,
                 weights.note_first_bias, 0, note_maps[frame + 3][1], 32);
    for (int frame = 0; frame < FRAMES; frame++)
    {
        weigh(note_maps[frame][0], 32, PITCHES, (PITCHES + 2) * 32, 7, 96, &weights.note_last[0][0][0],
              weights.note_last_bias, notes[frame]);
        sigmoid(notes[frame], PITCHES);
    }
}

static void find_onsets(void)
{
    for (int frame = 0; frame < FRAMES; frame++)
    {
        float(*out)[ONSET_MAPS] = onset_maps[frame + 1] + 1;
        convolve(stack[frame][STACK_LEFT], 3 * HARMONICS, PITCHES, onset_at, 5 * 5 * HARMONICS, &onset_weights[0][0][0],
                 4, weights.onset_first_bias, 0, out[0], ONSET_MAPS);
        for (int pitch = 0; pitch < PITCHES; pitch++) out[pitch][32] = notes[frame][pitch];
    }
    for (int frame = 0; frame < FRAMES; frame++)
    {
        weigh(onset_maps[frame][0], ONSET_MAPS, PITCHES, (PITCHES + 2) * ONSET_MAPS, 3, 3 * ONSET_MAPS,
              &onset_last[0][0][0], weights.onset_last_bias, onsets[frame]);
        sigmoid(onsets[frame], PITCHES);
    }
}

/* What is in `samples` becomes the three maps, all 0 to 1. */
void EXPORT(listen)(void)
{
    analyze();
    normalize();
    stack_harmonics();
    find_contours();
    find_notes();
    find_onsets();
}
