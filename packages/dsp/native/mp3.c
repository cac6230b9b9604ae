/* MPEG audio Layer III: whole frames in, planar floats out. The decoder is minimp3 (CC0), unchanged. */
#include <stdint.h>
#include <string.h>

/* Its conversion to 16 bits is not wanted; what that function would need of ARM is never called. */
#define MINIMP3_ONLY_MP3
#define MINIMP3_ONLY_SIMD
#define MINIMP3_FLOAT_OUTPUT
#define MINIMP3_IMPLEMENTATION
typedef int16_t int16x4_t;
#define vqmovn_s32(v) 0
#define vst1_lane_s16(at, v, lane) (*(at) = (v))
#include "minimp3/minimp3.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

#define MAX_FRAMES 40
/* 320 kbit/s at 32 kHz, and the byte of padding. */
#define MAX_FRAME_BYTES 1441
#define MAX_FRAME_SAMPLES 1152

static mp3dec_t decoder;
static uint8_t input[MAX_FRAMES * MAX_FRAME_BYTES];
static int32_t lengths[MAX_FRAMES];
static float output[2][MAX_FRAMES * MAX_FRAME_SAMPLES];
static float interleaved[2 * MAX_FRAME_SAMPLES];

void *EXPORT(input_at)(void) { return input; }
int EXPORT(input_size)(void) { return sizeof input; }
void *EXPORT(lengths_at)(void) { return lengths; }
int EXPORT(lengths_size)(void) { return MAX_FRAMES; }
void *EXPORT(output_at)(int channel) { return output[channel & 1]; }
int EXPORT(output_size)(void) { return MAX_FRAMES * MAX_FRAME_SAMPLES; }

void EXPORT(begin)(void) { memset(&decoder, 0, sizeof decoder); }

/* Decodes `count` frames that lie one behind the other in `input`, their lengths in `lengths`: `samples` samples of
   `channels` audio channels each. A frame that cannot be decoded is silence. Answers how many there were of these. */
int EXPORT(decode)(int count, int samples, int channels)
{
    const uint8_t *frame = input;
    int damaged = 0;
    for (int i = 0; i < count; frame += lengths[i++])
    {
        float *left = output[0] + i * samples, *right = output[1] + i * samples;
        mp3dec_frame_info_t info = { 0 };
        int got = mp3dec_decode_frame(&decoder, frame, lengths[i], interleaved, &info);
        if (got != samples || info.channels != channels)
        {
            memset(left, 0, sizeof(float) * samples);
            memset(right, 0, sizeof(float) * samples);
            damaged++;
        }
        else if (channels == 1)
            memcpy(left, interleaved, sizeof(float) * samples);
        else
            for (int n = 0; n < samples; n++)
            {
                left[n] = interleaved[2 * n];
                right[n] = interleaved[2 * n + 1];
            }
    }
    return damaged;
}
