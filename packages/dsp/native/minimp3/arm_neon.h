/* The few instructions of ARM that minimp3 asks for, as those of WebAssembly: both have four floats in a register.
   So minimp3.h stays as its author wrote it. */
#ifndef ARM_NEON_AS_WASM_H
#define ARM_NEON_AS_WASM_H
#include <wasm_simd128.h>

typedef float float32_t;
/* Not v128_t: minimp3 writes constants as lists of floats, which that type would take for integers. */
typedef float float32x4_t __attribute__((vector_size(16)));

#define vld1q_f32(from) ((float32x4_t)wasm_v128_load(from))
#define vst1q_f32(to, v) wasm_v128_store(to, (v128_t)(v))
#define vst1_f32(to, v) wasm_v128_store64_lane(to, (v128_t)(v), 0)
#define vst1q_lane_f32(to, v, lane) wasm_v128_store32_lane(to, (v128_t)(v), lane)
#define vmovq_n_f32(x) ((float32x4_t)wasm_f32x4_splat(x))
#define vaddq_f32(a, b) ((a) + (b))
#define vsubq_f32(a, b) ((a) - (b))
#define vmulq_f32(a, b) ((a) * (b))
#define vmlaq_f32(a, x, y) ((a) + (x) * (y))
#define vmlsq_f32(a, x, y) ((a) - (x) * (y))
#define vrev64q_f32(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
/* Halves are kept as whole registers; vcombine_f32 is only ever given the high half first. */
#define vget_high_f32(v) (v)
#define vget_low_f32(v) (v)
#define vcombine_f32(high, low) __builtin_shufflevector(high, low, 2, 3, 4, 5)

#endif
