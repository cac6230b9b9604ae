/* Sliding medians of spectrograms, four series at once: the values of a window are kept sorted, and each step replaces
   the value that leaves by the one that enters. Where a window reaches beyond the end of a series, the missing values
   are infinite, so the median of the existing ones stays at half their number. */
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define INLINE static inline __attribute__((always_inline))

#define SIZE 400000
#define MOST_REACH 32

static float source[SIZE] __attribute__((aligned(16)));
static float target[SIZE] __attribute__((aligned(16)));

void *EXPORT(source_at)(void) { return source; }
void *EXPORT(target_at)(void) { return target; }
int EXPORT(buffer_size)(void) { return SIZE; }
int EXPORT(most_reach)(void) { return MOST_REACH; }

/* The sorted values of four windows, and an infinite one behind them. */
static v128_t sorted[2 * MOST_REACH + 2];

/* Replaces one of `size` values by another, in place. */
INLINE void replace(int size, v128_t old, v128_t new)
{
    v128_t below = wasm_f32x4_splat(-__builtin_inff());
    for (int i = 0; i < size; i++)
    {
        v128_t kept = wasm_f32x4_lt(sorted[i], old);
        v128_t rest = wasm_v128_bitselect(sorted[i], sorted[i + 1], kept);
        sorted[i] = wasm_f32x4_pmax(below, wasm_f32x4_pmin(rest, new));
        below = rest;
    }
}

/* Four neighbouring series: value i of the first is at from[i * step]. */
INLINE void slide(const float *from, float *to, int step, int lane, int length, int reach)
{
    const v128_t infinite = wasm_f32x4_splat(__builtin_inff());
    const int size = 2 * reach + 1;
    for (int i = 0; i <= size; i++) sorted[i] = infinite;
#define READ(i)                                                                                                        \
    (lane == 1 ? wasm_v128_load(from + (i) * step)                                                                     \
               : wasm_f32x4_make(from[i], from[(i) + lane], from[(i) + 2 * lane], from[(i) + 3 * lane]))
    for (int i = 0; i < reach && i < length; i++) replace(size, infinite, READ(i));
    for (int i = 0; i < length; i++)
    {
        v128_t old = i > reach ? READ(i - reach - 1) : infinite;
        v128_t new = i + reach < length ? READ(i + reach) : infinite;
        replace(size, old, new);
        int first = i > reach ? i - reach : 0, last = i + reach < length ? i + reach : length - 1;
        v128_t median = sorted[(last - first + 1) / 2];
        if (lane == 1) wasm_v128_store(to + i * step, median);
        else
        {
            to[i] = wasm_f32x4_extract_lane(median, 0);
            to[i + lane] = wasm_f32x4_extract_lane(median, 1);
            to[i + 2 * lane] = wasm_f32x4_extract_lane(median, 2);
            to[i + 3 * lane] = wasm_f32x4_extract_lane(median, 3);
        }
    }
}

/* Medians along the columns of rows x columns values; `columns` is a multiple of four. */
void EXPORT(along_columns)(int rows, int columns, int reach)
{
    for (int first = 0; first < columns; first += 4) slide(source + first, target + first, columns, 1, rows, reach);
}

/* Medians along the rows; the number of rows is a multiple of four. */
void EXPORT(along_rows)(int rows, int columns, int reach)
{
    for (int first = 0; first < rows; first += 4)
        slide(source + first * columns, target + first * columns, 1, columns, columns, reach);
}
