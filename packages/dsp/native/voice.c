/* The two U-Nets of Spleeter's two-stem model (Hennequin et al., "Spleeter: a fast and efficient music source separation
   tool with pre-trained models", JOSS 2020), for one window: magnitudes of the mixture in, magnitudes of the voice and
   of the accompaniment and the mask of the voice out. The weights are not here: the caller copies them in.

   A 5 x 5 convolution of stride 2 is a 3 x 3 convolution of four interleaved images with a fourth of the pixels, a
   transposed one a 3 x 3 convolution to four such images; the kernels of the images that get two of the five taps end
   with a zero. Both are computed by Winograd's minimal filtering: tiles are transformed, multiplied point by point as
   matrices of tiles and channels, and transformed back. The zeros make the products at the last point vanish, so a tile
   of 4 x 4 outputs takes 121 products instead of 400, one of 2 x 2 takes 49 instead of 100.

   Winograd, "Arithmetic Complexity of Computations" (1980); Lavin and Gray, "Fast Algorithms for Convolutional Neural
   Networks", CVPR 2016. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define INLINE static inline __attribute__((always_inline))

/* Longest window. */
#define FRAMES 512
#define BINS 1024
#define LEVELS 6
/* Output channels that are computed together: two vectors. */
#define PANEL 8
/* Tiles that are multiplied together: with two vectors each they fill the registers. */
#define ROWS 6
#define WEIGHT_BYTES 20000000
#define TILE_VALUES 1179648
#define KERNEL_VALUES 495616

static uint8_t weights[WEIGHT_BYTES] __attribute__((aligned(16)));

/* Left and right, frame by frame. */
typedef float Planes[2][FRAMES][BINS];
static Planes mixture, voice;

/* Frames of the current window, a multiple of 128: so many belong to one row of tiles of the deepest layers. */
static int frames;

/* The kernel of a layer: 25 taps of inputs x outputs weights of 8 bits, and a scale for each tap and output. */
typedef struct
{
    const float *scales;
    const int8_t *values;
    const float *bias;
} Kernel;

/* The weights of a network. */
static struct
{
    const float *first, *first_bias, *last, *last_bias, *up_last, *up_last_bias;
    Kernel down[LEVELS], up[LEVELS];
    const float *gain[2 * LEVELS], *offset[2 * LEVELS];
} net;

/* Outputs of the layers; images are rows x columns x channels. Of the transposed layers only the newest is needed. */
static float down_1[256 * 512 * 16], down_2[128 * 256 * 32], down_3[64 * 128 * 64], down_4[32 * 64 * 128],
    down_5[16 * 32 * 256], down_6[8 * 16 * 512];
static float up_odd[64 * 128 * 64], up_even[128 * 256 * 32], up_5[256 * 512 * 16];
static float *const down_out[LEVELS] = {down_1, down_2, down_3, down_4, down_5, down_6};
static float *const up_out[LEVELS - 1] = {up_odd, up_even, up_odd, up_even, up_5};
#define UP_WIDTH (BINS + 8)

/* Results that are written when the layers are done with their memory. */
#define accompaniment (*(Planes *)up_5)
#define mask (*(Planes *)down_1)

void *EXPORT(weights_at)(void) { return weights; }
int EXPORT(weights_size)(void) { return WEIGHT_BYTES; }
void *EXPORT(mixture_at)(void) { return mixture; }
void *EXPORT(voice_at)(void) { return voice; }
void *EXPORT(accompaniment_at)(void) { return accompaniment; }
void *EXPORT(mask_at)(void) { return mask; }

/* The rows of an input image that a row of tiles needs, with zeros around them. */
static float strip[110000];
static float tiles[TILE_VALUES] __attribute__((aligned(16))), kernels[KERNEL_VALUES], products[11 * 11 * 128 * PANEL];

/* The output of the last transposed layer, in the memory of the tiles, which that layer does not need. */
static float (*const up_6)[UP_WIDTH] = (float (*)[UP_WIDTH])tiles;

static int channels_at(int level) { return 16 << level; }

static const float *take(const uint8_t **at, int count)
{
    const float *values = (const float *)*at;
    *at += (count * 4 + 15) / 16 * 16;
    return values;
}

static void take_kernel(const uint8_t **at, Kernel *kernel, int inputs, int outputs)
{
    kernel->scales = take(at, 25 * outputs);
    kernel->values = (const int8_t *)*at;
    *at += 25 * inputs * outputs;
    kernel->bias = take(at, outputs);
}

/* Finds the weights of a network in the order of the file, and returns where they end. */
static const uint8_t *find_weights(const uint8_t *at)
{
    net.first = take(&at, 25 * 2 * 16);
    net.first_bias = take(&at, 16);
    for (int level = 1; level < LEVELS; level++)
        take_kernel(&at, &net.down[level], channels_at(level - 1), channels_at(level));
    net.last = take(&at, 4 * 4 * 2);
    net.last_bias = take(&at, 2);
    for (int level = 0; level < LEVELS - 1; level++)
        take_kernel(&at, &net.up[level], 512 >> (level > 0 ? level - 1 : 0), 256 >> level);
    net.up_last = take(&at, 25 * 32);
    net.up_last_bias = take(&at, 1);
    for (int i = 0; i < 2 * LEVELS; i++)
    {
        if (i == LEVELS - 1) continue;
        int channels = i < LEVELS ? channels_at(i) : i < 2 * LEVELS - 1 ? 256 >> (i - LEVELS) : 1;
        net.gain[i] = take(&at, channels);
        net.offset[i] = take(&at, channels);
    }
    return at;
}

#define SPLAT wasm_f32x4_splat
INLINE v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
INLINE v128_t sub(v128_t a, v128_t b) { return wasm_f32x4_sub(a, b); }
INLINE v128_t mul(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }
/* sum + a * b, rounded once or twice as the processor is faster. */
INLINE v128_t fma4(v128_t a, v128_t b, v128_t sum) { return wasm_f32x4_relaxed_madd(a, b, sum); }

/* Transforms size + 2 inputs, `step` vectors apart. */
INLINE void transform_input(int size, const v128_t *d, int step, v128_t *out)
{
#define D(i) d[(i) * step]
    if (size == 2)
    {
        out[0] = sub(D(0), D(2));
        out[1] = add(D(1), D(2));
        out[2] = sub(D(2), D(1));
        out[3] = sub(D(1), D(3));
        return;
    }
    v128_t four = SPLAT(4), five = SPLAT(-5), minus = SPLAT(-4), two = SPLAT(2);
    out[0] = add(fma4(five, D(2), mul(four, D(0))), D(4));
    v128_t even = fma4(minus, D(2), D(4)), odd = fma4(minus, D(1), D(3));
    out[1] = add(even, odd);
    out[2] = sub(even, odd);
    even = sub(D(4), D(2)), odd = mul(two, sub(D(3), D(1)));
    out[3] = add(even, odd);
    out[4] = sub(even, odd);
    out[5] = add(fma4(five, D(3), mul(four, D(1))), D(5));
}

/* Transforms three taps to size + 2 points; the last point is the third tap. */
INLINE void transform_kernel(int size, const v128_t *d, int step, v128_t *out)
{
    v128_t outer = add(D(0), D(2));
    if (size == 2)
    {
        v128_t half = SPLAT(0.5f);
        out[0] = D(0);
        out[1] = mul(half, add(outer, D(1)));
        out[2] = mul(half, sub(outer, D(1)));
        out[3] = D(2);
        return;
    }
    v128_t sixth = SPLAT(-1 / 6.f);
    out[0] = mul(SPLAT(0.25f), D(0));
    out[1] = mul(sixth, add(outer, D(1)));
    out[2] = mul(sixth, sub(outer, D(1)));
    v128_t even = fma4(SPLAT(1 / 6.f), D(2), mul(SPLAT(1 / 24.f), D(0))), odd = mul(SPLAT(1 / 12.f), D(1));
    out[3] = add(even, odd);
    out[4] = sub(even, odd);
    out[5] = D(2);
}

/* Transforms size + 2 products to `size` outputs. */
INLINE void transform_output(int size, const v128_t *d, int step, v128_t *out)
{
    v128_t near = add(D(1), D(2)), near_difference = sub(D(1), D(2));
    if (size == 2)
    {
        out[0] = add(D(0), near);
        out[1] = sub(near_difference, D(3));
        return;
    }
    v128_t far = add(D(3), D(4)), far_difference = sub(D(3), D(4));
    out[0] = add(D(0), add(near, far));
    out[1] = fma4(SPLAT(2), far_difference, near_difference);
    out[2] = fma4(SPLAT(4), far, near);
    out[3] = add(fma4(SPLAT(8), far_difference, near_difference), D(5));
#undef D
}

/* The transforms in both dimensions: rows of `from` are `step` vectors apart, those of `out` follow each other. */
#define BOTH_WAYS(name, ins, outs)                                                                                     \
    static void __attribute__((noinline)) name##_4(const v128_t *from, v128_t *out)                                    \
    {                                                                                                                  \
        v128_t turned[36];                                                                                             \
        for (int i = 0; i < (ins); i++) name(4, from + i, (ins), turned + i * 6);                                      \
        for (int i = 0; i < (outs); i++) name(4, turned + i, 6, out + i * (outs));                                     \
    }                                                                                                                  \
    static void __attribute__((noinline)) name##_2(const v128_t *from, v128_t *out)                                    \
    {                                                                                                                  \
        v128_t turned[36];                                                                                             \
        for (int i = 0; i < ((ins) == 3 ? 3 : (ins)-2); i++) name(2, from + i, ((ins) == 3 ? 3 : (ins)-2), turned + i * 6); \
        for (int i = 0; i < (outs)-2; i++) name(2, turned + i, 6, out + i * ((outs)-2));                               \
    }
BOTH_WAYS(transform_input, 6, 6)
BOTH_WAYS(transform_kernel, 3, 6)
BOTH_WAYS(transform_output, 6, 4)

/* out[row][0..7] = sum over k of in[row][k] * kernel[k][0..7], for six rows or more; `depth` is a multiple of four. */
static void multiply(const float *in, int rows, int depth, const float *kernel, float *out)
{
    for (int first = 0; first < rows; first += ROWS)
    {
        // The last block computes some rows again.
        int from = first + ROWS > rows ? rows - ROWS : first;
        const float *a = in + from * depth, *b = kernel;
        v128_t low[ROWS], high[ROWS];
        for (int i = 0; i < ROWS; i++) low[i] = high[i] = SPLAT(0);
        for (const float *end = a + depth; a < end; a += 4, b += 4 * PANEL)
        {
#pragma unroll
            for (int k = 0; k < 4; k++)
            {
                v128_t b_low = wasm_v128_load(b + k * PANEL), b_high = wasm_v128_load(b + k * PANEL + 4);
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                {
                    v128_t value = wasm_v128_load32_splat(a + i * depth + k);
                    low[i] = fma4(value, b_low, low[i]);
                    high[i] = fma4(value, b_high, high[i]);
                }
            }
        }
        for (int i = 0; i < ROWS; i++)
        {
            wasm_v128_store(out + (from + i) * PANEL, low[i]);
            wasm_v128_store(out + (from + i) * PANEL + 4, high[i]);
        }
    }
}

/* Taps of the kernel of an image: those of phase 0 are 0, 2, 4, those of phase 1 are 1, 3; mirrored if transposed. */
INLINE int tap_of(int transposed, int phase, int i) { return transposed ? 4 - phase - 2 * i : phase + 2 * i; }

/* Writes the transformed kernels of eight outputs, point by point; returns their number of values. */
INLINE int prepare_kernels(int size, int transposed, const Kernel *kernel, int inputs, int outputs, int panel, float *out)
{
    const int points = size + 2;
    int used = 0;
    // The image is the outer dimension of the transposed kernels; otherwise the point is.
    int starts[4][36], next = 0;
    if (transposed)
        for (int phase = 0; phase < 4; phase++)
            for (int p = 0; p < points - phase / 2; p++)
                for (int q = 0; q < points - phase % 2; q++, next += inputs) starts[phase][p * points + q] = next;
    else
        for (int p = 0; p < points; p++)
            for (int q = 0; q < points; q++)
                for (int phase = 0; phase < 4; phase++)
                {
                    if ((phase / 2 && p == points - 1) || (phase % 2 && q == points - 1)) continue;
                    starts[phase][p * points + q] = next;
                    next += inputs;
                }
    used = next * PANEL;
    for (int half = 0; half < PANEL; half += 4)
    {
        int output = panel * PANEL + half;
        v128_t scales[25];
        for (int tap = 0; tap < 25; tap++) scales[tap] = wasm_v128_load(kernel->scales + tap * outputs + output);
        for (int input = 0; input < inputs; input++)
        {
            v128_t taps[25];
            for (int tap = 0; tap < 25; tap++)
            {
                v128_t bytes = wasm_v128_load32_zero(kernel->values + (tap * inputs + input) * outputs + output);
                v128_t words = wasm_i32x4_extend_low_i16x8(wasm_i16x8_extend_low_i8x16(bytes));
                taps[tap] = mul(wasm_f32x4_convert_i32x4(words), scales[tap]);
            }
for (int phase = 0; phase < 4; phase++)
            {
                const int py = phase / 2, px = phase % 2;
                v128_t nine[9], transformed[36];
                for (int i = 0; i < 9; i++) nine[i] = SPLAT(0);
                for (int y = 0; y < 3 - py; y++)
                    for (int x = 0; x < 3 - px; x++)
                        nine[3 * y + x] = taps[5 * tap_of(transposed, py, y) + tap_of(transposed, px, x)];
                if (size == 4) transform_kernel_4(nine, transformed);
                else transform_kernel_2(nine, transformed);
                for (int p = 0; p < points - py; p++)
                    for (int q = 0; q < points - px; q++)
                        wasm_v128_store(out + (starts[phase][p * points + q] + input) * PANEL + half,
                                        transformed[p * points + q]);
            }
        }
    }
    return used;
}

/* Where a layer reads and writes. */
typedef struct
{
    int rows, columns, inputs, outputs;
    /* One image, or two whose channels follow each other. */
    const float *first, *second;
    /* Normalisation of the input of a convolution, or of the output of a transposed one. */
    const float *gain, *offset;
    const Kernel *kernel;
    float *out;
} Layer;

/* Fills the strip with `count` rows from row `top` on, with `before` columns of zeros before and `after` behind them. */
INLINE void fill_strip(const Layer *layer, int normalises, int top, int count, int before, int after)
{
    const int inputs = layer->inputs, width = (before + layer->columns + after) * inputs;
    const int half = layer->second ? inputs / 2 : inputs;
    for (int y = 0; y < count; y++)
    {
        float *to = strip + y * width;
        if (top + y < 0 || top + y >= layer->rows)
        {
            __builtin_memset(to, 0, width * sizeof(float));
            continue;
        }
        __builtin_memset(to, 0, before * inputs * sizeof(float));
        __builtin_memset(to + (before + layer->columns) * inputs, 0, after * inputs * sizeof(float));
        to += before * inputs;
        const float *from = layer->first + (top + y) * layer->columns * half;
        const float *second = layer->second + (top + y) * layer->columns * half;
        for (int x = 0; x < layer->columns; x++, to += inputs, from += half, second += half)
        {
            if (normalises)
                for (int i = 0; i < inputs; i += 4)
                {
                    v128_t value = fma4(wasm_v128_load(from + i), wasm_v128_load(layer->gain + i),
                                        wasm_v128_load(layer->offset + i));
                    wasm_v128_store(to + i, wasm_f32x4_max(value, mul(value, SPLAT(0.2f))));
                }
            else
            {
                __builtin_memcpy(to, from, half * sizeof(float));
                if (layer->second) __builtin_memcpy(to + half, second, half * sizeof(float));
            }
        }
    }
}

/* A convolution of stride 2: rows and columns are those of its input. */
INLINE void convolve(int size, const Layer *layer, int tile_rows)
{
    const int points = size + 2, inputs = layer->inputs, outputs = layer->outputs;
    const int across = layer->columns / 2 / size, down = layer->rows / 2 / size, width = layer->columns + 4;
    if (tile_rows > down) tile_rows = down;
    const int tile_count = across * tile_rows;
    const int sums = (2 * points - 1) * (2 * points - 1);
    const int fits = sums * inputs * outputs <= KERNEL_VALUES;
    for (int block = 0; block < down; block += tile_rows)
    {
        for (int ty = 0; ty < tile_rows; ty++)
        {
            fill_strip(layer, 1, 2 * size * (block + ty) - 1, 2 * size + 3, 1, 3);
            for (int tx = 0; tx < across; tx++)
                for (int i = 0; i < inputs; i += 4)
for (int phase = 0; phase < 4; phase++)
                    {
                        const int py = phase / 2, px = phase % 2;
                        v128_t read[36], transformed[36];
                        for (int y = 0; y < points; y++)
                            for (int x = 0; x < points; x++)
                                read[y * points + x] = wasm_v128_load(
                                    strip + ((py + 2 * y) * width + 2 * size * tx + px + 2 * x) * inputs + i);
                        if (size == 4) transform_input_4(read, transformed);
                        else transform_input_2(read, transformed);
                        float *to = tiles;
                        for (int p = 0; p < points; p++)
                        {
                            const int row_phases = p == points - 1 ? 1 : 2;
                            for (int q = 0; q < points; q++)
                            {
                                const int column_phases = q == points - 1 ? 1 : 2;
                                const int depth = row_phases * column_phases * inputs;
                                if (p < points - py && q < points - px)
                                    wasm_v128_store(to + (ty * across + tx) * depth + (py * column_phases + px) * inputs + i,
                                                    transformed[p * points + q]);
                                to += tile_count * depth;
                            }
                        }
                    }
        }
        for (int panel = 0; panel < outputs / PANEL; panel++)
        {
            float *u = fits ? kernels + panel * sums * inputs * PANEL : kernels;
            if (!fits || block == 0) prepare_kernels(size, 0, layer->kernel, inputs, outputs, panel, u);
            const float *v = tiles;
            for (int point = 0; point < points * points; point++)
            {
                int depth = (point / points == points - 1 ? 1 : 2) * (point % points == points - 1 ? 1 : 2) * inputs;
                multiply(v, tile_count, depth, u, products + point * tile_count * PANEL);
                v += tile_count * depth;
                u += depth * PANEL;
            }
            for (int tile = 0; tile < tile_count; tile++)
                for (int half = 0; half < PANEL; half += 4)
                {
                    v128_t read[36], transformed[16];
                    v128_t bias = wasm_v128_load(layer->kernel->bias + panel * PANEL + half);
                    for (int point = 0; point < points * points; point++)
                        read[point] = wasm_v128_load(products + (point * tile_count + tile) * PANEL + half);
                    if (size == 4) transform_output_4(read, transformed);
                    else transform_output_2(read, transformed);
                    int top = (block + tile / across) * size, left = tile % across * size;
                    for (int y = 0; y < size; y++)
                    {
                        float *to = layer->out + ((top + y) * layer->columns / 2 + left) * outputs + panel * PANEL + half;
                        for (int x = 0; x < size; x++) wasm_v128_store(to + x * outputs, add(transformed[y * size + x], bias));
                    }
                }
        }
    }
}

/* A transposed convolution of stride 2, a rectifier and a normalisation. */
INLINE void convolve_transposed(int size, const Layer *layer, int tile_rows)
{
    const int points = size + 2, inputs = layer->inputs, outputs = layer->outputs;
    const int across = layer->columns / size, down = layer->rows / size, width = layer->columns + 2;
    if (tile_rows > down) tile_rows = down;
    const int tile_count = across * tile_rows;
    const int sums = (2 * points - 1) * (2 * points - 1);
    const int fits = sums * inputs * outputs <= KERNEL_VALUES;
    for (int block = 0; block < down; block += tile_rows)
    {
        for (int ty = 0; ty < tile_rows; ty++)
        {
            fill_strip(layer, 0, size * (block + ty) - 1, size + 2, 1, 1);
            for (int tx = 0; tx < across; tx++)
                for (int i = 0; i < inputs; i += 4)
                {
                    v128_t read[36], transformed[36];
                    for (int y = 0; y < points; y++)
                        for (int x = 0; x < points; x++)
                            read[y * points + x] = wasm_v128_load(strip + (y * width + size * tx + x) * inputs + i);
                    if (size == 4) transform_input_4(read, transformed);
                    else transform_input_2(read, transformed);
                    for (int point = 0; point < points * points; point++)
                        wasm_v128_store(tiles + (point * tile_count + ty * across + tx) * inputs + i, transformed[point]);
                }
        }
        for (int panel = 0; panel < outputs / PANEL; panel++)
        {
            float *u = fits ? kernels + panel * sums * inputs * PANEL : kernels;
            if (!fits || block == 0) prepare_kernels(size, 1, layer->kernel, inputs, outputs, panel, u);
            for (int phase = 0; phase < 4; phase++)
            {
                const int py = phase / 2, px = phase % 2;
                for (int p = 0; p < points - py; p++)
                    for (int q = 0; q < points - px; q++, u += inputs * PANEL)
                        multiply(tiles + (p * points + q) * tile_count * inputs, tile_count, inputs, u,
                                 products + (p * points + q) * tile_count * PANEL);
                for (int tile = 0; tile < tile_count; tile++)
                    for (int half = 0; half < PANEL; half += 4)
                    {
                        v128_t read[36], transformed[16];
                        int output = panel * PANEL + half;
                        v128_t bias = wasm_v128_load(layer->kernel->bias + output);
                        v128_t gain = wasm_v128_load(layer->gain + output), offset = wasm_v128_load(layer->offset + output);
                        for (int p = 0; p < points; p++)
                            for (int q = 0; q < points; q++)
                                read[p * points + q] =
                                    p < points - py && q < points - px
                                        ? wasm_v128_load(products + ((p * points + q) * tile_count + tile) * PANEL + half)
                                        : SPLAT(0);
                        if (size == 4) transform_output_4(read, transformed);
                        else transform_output_2(read, transformed);
                        int top = 2 * (block + tile / across) * size + 1 - py, left = 2 * (tile % across) * size + 1 - px;
                        for (int y = 0; y < size; y++)
                        {
                            float *to = layer->out + ((top + 2 * y) * 2 * layer->columns + left) * outputs + output;
                            for (int x = 0; x < size; x++)
                                wasm_v128_store(to + 2 * x * outputs,
                                                fma4(wasm_f32x4_max(add(transformed[y * size + x], bias), SPLAT(0)), gain, offset));
                        }
                    }
            }
        }
    }
}

static void convolve_4(const Layer *layer, int tile_rows) { convolve(4, layer, tile_rows); }
static void convolve_2(const Layer *layer, int tile_rows) { convolve(2, layer, tile_rows); }
static void convolve_transposed_4(const Layer *layer, int tile_rows) { convolve_transposed(4, layer, tile_rows); }
static void convolve_transposed_2(const Layer *layer, int tile_rows) { convolve_transposed(2, layer, tile_rows); }

/* The first convolution: few inputs, so without tiles. Six positions and eight outputs together. */
static void convolve_first(void)
{
    /* The last rows of the mixture with both channels of a bin together, and zeros around it: row r is at r % 6. */
    static float recent[6][BINS + 4][2];
    for (int y = 0; y < frames / 2; y++)
    {
        for (int row = y == 0 ? 0 : 2 * y + 3; row < 2 * y + 5; row++)
            for (int x = 0; x < BINS; x++)
                for (int side = 0; side < 2; side++)
                    recent[row % 6][x + 1][side] = row > 0 && row <= frames ? mixture[side][row - 1][x] : 0;
        for (int first = 0; first < BINS / 2; first += ROWS)
            for (int half = 0; half < 16; half += PANEL)
            {
                int from = first + ROWS > BINS / 2 ? BINS / 2 - ROWS : first;
                v128_t low[ROWS], high[ROWS];
                for (int i = 0; i < ROWS; i++)
                {
                    low[i] = wasm_v128_load(net.first_bias + half);
                    high[i] = wasm_v128_load(net.first_bias + half + 4);
                }
                for (int row = 0; row < 5; row++)
                {
                    const float *a = recent[(2 * y + row) % 6][2 * from], *b = net.first + row * 160 + half;
                    for (int k = 0; k < 10; k++, a++, b += 16)
                    {
                        v128_t b_low = wasm_v128_load(b), b_high = wasm_v128_load(b + 4);
#pragma unroll
                        for (int i = 0; i < ROWS; i++)
                        {
                            v128_t value = wasm_v128_load32_splat(a + 4 * i);
                            low[i] = fma4(value, b_low, low[i]);
                            high[i] = fma4(value, b_high, high[i]);
                        }
                    }
                }
                for (int i = 0; i < ROWS; i++)
                {
                    float *to = down_1 + (y * BINS / 2 + from + i) * 16 + half;
                    wasm_v128_store(to, low[i]);
                    wasm_v128_store(to + 4, high[i]);
                }
            }
    }
}

/* The last transposed convolution: one output, so each position is weighted for all taps and these are added up. */
static void convolve_transposed_last(void)
{
    enum { taps = 32, width = BINS / 2 };
    static float row_in[width * 32], weighted[taps / PANEL][width * PANEL], kernel[taps / PANEL][32 * PANEL];
    for (int tap = 0; tap < 25; tap++)
        for (int i = 0; i < 32; i++) kernel[tap / PANEL][i * PANEL + tap % PANEL] = net.up_last[tap * 32 + i];
    __builtin_memset(up_6, 0, (frames + 8) * sizeof up_6[0]);
    for (int y = 0; y < frames / 2; y++)
    {
        for (int x = 0; x < width; x++)
        {
            __builtin_memcpy(row_in + x * 32, down_1 + (y * width + x) * 16, 16 * sizeof(float));
            __builtin_memcpy(row_in + x * 32 + 16, up_5 + (y * width + x) * 16, 16 * sizeof(float));
        }
        for (int panel = 0; panel < taps / PANEL; panel++) multiply(row_in, width, 32, kernel[panel], weighted[panel]);
        for (int row = 0; row < 5; row++)
        {
            float *to = up_6[2 * y + row + 2] + 2;
            for (int column = 0; column < 5; column++)
            {
                int tap = 5 * row + column;
                const float *from = weighted[tap / PANEL] + tap % PANEL;
                for (int x = 0; x < width; x++) to[2 * x + column] += from[x * PANEL];
            }
        }
    }
    // Row 3 and column 3 are the first; the zeros around the image are not normalised.
    v128_t bias = SPLAT(net.up_last_bias[0]), gain = SPLAT(net.gain[11][0]), offset = SPLAT(net.offset[11][0]);
    for (int y = 0; y < frames + 8; y++)
    {
        float *row = up_6[y];
        if (y < 3 || y >= frames + 3)
        {
            __builtin_memset(row, 0, sizeof up_6[y]);
            continue;
        }
        for (int x = 3; x < BINS + 3; x += 4)
            wasm_v128_store(row + x, fma4(wasm_f32x4_max(add(wasm_v128_load(row + x), bias), SPLAT(0)), gain, offset));
        row[0] = row[1] = row[2] = 0;
        for (int x = BINS + 3; x < UP_WIDTH; x++) row[x] = 0;
    }
}

/* 1 / (1 + e^-x), within 2e-7. */
INLINE v128_t sigmoid(v128_t x)
{
    v128_t scaled = mul(wasm_f32x4_max(wasm_f32x4_min(x, SPLAT(80)), SPLAT(-80)), SPLAT(-1.44269504f));
    v128_t whole = wasm_f32x4_nearest(scaled), part = sub(scaled, whole);
    v128_t power = SPLAT(1.53533535e-4f);
    power = fma4(power, part, SPLAT(1.33988744e-3f));
    power = fma4(power, part, SPLAT(9.61843736e-3f));
    power = fma4(power, part, SPLAT(5.55033247e-2f));
    power = fma4(power, part, SPLAT(2.40226479e-1f));
    power = fma4(power, part, SPLAT(6.93147182e-1f));
    power = fma4(power, part, SPLAT(1));
    v128_t exponent = wasm_i32x4_shl(wasm_i32x4_trunc_sat_f32x4(whole), 23);
    return wasm_f32x4_div(SPLAT(1), add(SPLAT(1), wasm_i32x4_add(power, exponent)));
}

/* The last layer: a 4 x 4 convolution of dilation 2 to a gain for each bin of both channels. */
static void apply_gains(Planes out)
{
    for (int side = 0; side < 2; side++)
        for (int y = 0; y < frames; y++)
            for (int x = 0; x < BINS; x += 4)
            {
                v128_t sum = SPLAT(net.last_bias[side]);
#pragma unroll
                for (int tap = 0; tap < 16; tap++)
                    sum = fma4(SPLAT(net.last[2 * tap + side]), wasm_v128_load(&up_6[y + 2 * (tap / 4)][x + 2 * (tap % 4)]),
                               sum);
                wasm_v128_store(&out[side][y][x], mul(sigmoid(sum), wasm_v128_load(&mixture[side][y][x])));
            }
}

static void run_network(Planes out)
{
    convolve_first();
    for (int level = 1; level < LEVELS; level++)
    {
        Layer layer = {frames >> level, BINS >> level, channels_at(level - 1), channels_at(level), down_out[level - 1], 0,
                       net.gain[level - 1], net.offset[level - 1], &net.down[level], down_out[level]};
        static const int tile_rows[LEVELS] = {0, 1, 2, 8, 4, 4};
        if (level == LEVELS - 1) convolve_2(&layer, tile_rows[level]);
        else convolve_4(&layer, tile_rows[level]);
    }
    for (int level = 0; level < LEVELS - 1; level++)
    {
        Layer layer = {frames >> (LEVELS - level), BINS >> (LEVELS - level), level == 0 ? 512 : 512 >> (level - 1),
                       256 >> level, down_out[LEVELS - 1 - level], level == 0 ? 0 : up_out[level - 1],
                       net.gain[LEVELS + level], net.offset[LEVELS + level], &net.up[level], up_out[level]};
        static const int tile_rows[LEVELS - 1] = {4, 4, 8, 2, 1};
        if (level == 0) convolve_transposed_2(&layer, tile_rows[level]);
        else convolve_transposed_4(&layer, tile_rows[level]);
    }
    convolve_transposed_last();
    apply_gains(out);
}

/* Estimates voice and accompaniment of the first `count` frames of the mixture, and the mask of the voice. The count is
   128, 256, 384 or 512. */
void EXPORT(estimate)(int count)
{
    frames = count;
    const uint8_t *second = find_weights(weights);
    run_network(voice);
    find_weights(second);
    run_network(accompaniment);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < frames * BINS; i += 4)
        {
            v128_t v = wasm_v128_load(&voice[side][0][0] + i), a = wasm_v128_load(&accompaniment[side][0][0] + i);
            v128_t power = fma4(v, v, SPLAT(0.5e-10f));
            wasm_v128_store(&mask[side][0][0] + i, wasm_f32x4_div(power, add(power, fma4(a, a, SPLAT(0.5e-10f)))));
        }
}
