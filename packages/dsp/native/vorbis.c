/* Vorbis: packets in, planar floats out. The decoder is stb_vorbis (public domain); what it does with Ogg
   pages is left out, because pages, losses and positions are the caller's. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* All its memory is one arena, so that no file can ask for more. */
#define malloc(size) ((void *)0)
#define free(pointer) ((void)(pointer))
#define STB_VORBIS_NO_STDIO
#define STB_VORBIS_NO_INTEGER_CONVERSION
#define STB_VORBIS_NO_PULLDATA_API
#define STB_VORBIS_MAX_CHANNELS 8
#include "stb/stb_vorbis.c"

#define EXPORT(name) __attribute__((export_name(#name))) name

#define ARENA_BYTES (16 << 20)
#define MAX_INPUT_BYTES (1 << 18)
#define MAX_PACKETS 256
#define MAX_OUTPUT_SAMPLES (1 << 16)
#define MAX_SEGMENTS 255
#define HEAD_BYTES 30

static char arena[ARENA_BYTES] __attribute__((aligned(16)));
static uint8_t input[MAX_INPUT_BYTES];
static int32_t lengths[MAX_PACKETS];
static float output[STB_VORBIS_MAX_CHANNELS][MAX_OUTPUT_SAMPLES];
/* Samples between the middle of a long block and its slope down to a short one: stb_vorbis gives them with the block,
   the positions of pages count them with the next. */
static float ahead[STB_VORBIS_MAX_CHANNELS][4096];
static int ahead_samples;
static uint8_t pages[MAX_INPUT_BYTES + 4096];
static stb_vorbis *decoder;
static int bad_packets;

void *EXPORT(input_at)(void) { return input; }
int EXPORT(input_size)(void) { return sizeof input; }
void *EXPORT(lengths_at)(void) { return lengths; }
int EXPORT(lengths_size)(void) { return MAX_PACKETS; }
void *EXPORT(output_at)(int channel) { return output[channel & 7]; }
int EXPORT(output_size)(void) { return MAX_OUTPUT_SAMPLES; }

/* Writes a packet as the Ogg pages that stb_vorbis reads its headers from; answers where they end. */
static uint8_t *write_pages(uint8_t *to, const uint8_t *packet, int bytes, int is_first)
{
    int is_continued = 0, is_open = 1;
    while (is_open)
    {
        int segments = bytes / 255 + 1;
        is_open = segments > MAX_SEGMENTS;
        if (is_open) segments = MAX_SEGMENTS;
        memset(to, 0, 27);
        memcpy(to, "OggS", 4);
        to[5] = is_continued | is_first << 1;
        to[26] = segments;
        to += 27;
        int body = 0;
        for (int i = 0; i < segments; i++)
        {
            int left = bytes - body;
            *to++ = left < 255 ? left : 255;
            body += left < 255 ? left : 255;
        }
        memcpy(to, packet, body);
        to += body;
        packet += body;
        bytes -= body;
        is_continued = 1;
    }
    return to;
}

/* Makes a decoder of the first and the third header, which lie one behind the other in `input`. Answers 0, or the
   code of stb_vorbis that says what is wrong with them. */
int EXPORT(begin)(int head_bytes, int setup_bytes)
{
    static const uint8_t no_comment[] = { 3, 'v', 'o', 'r', 'b', 'i', 's', 0, 0, 0, 0, 0, 0, 0, 0, 1 };
    stb_vorbis_alloc memory = { arena, ARENA_BYTES };
    stb_vorbis fresh;
    decoder = NULL;
    if (head_bytes < HEAD_BYTES) return VORBIS_invalid_first_page;
    uint8_t *end = write_pages(pages, input, HEAD_BYTES, 1);
    end = write_pages(end, no_comment, sizeof no_comment, 0);
    end = write_pages(end, input + head_bytes, setup_bytes, 0);
    vorbis_init(&fresh, &memory);
    fresh.stream = pages;
    fresh.stream_end = end;
    fresh.push_mode = TRUE;
    if (!start_decoder(&fresh)) return fresh.error ? fresh.error : VORBIS_invalid_setup;
    decoder = vorbis_alloc(&fresh);
    if (!decoder) return VORBIS_outofmem;
    *decoder = fresh;
    decoder->first_decode = FALSE;
    ahead_samples = 0;
    return 0;
}

/* Forgets the packet before: the next one has nothing to overlap with. */
void EXPORT(forget)(void)
{
    decoder->previous_length = 0;
    ahead_samples = 0;
}

/* Copies samples. Damage can make numbers that are none, or none that a song has: they are 0. Floats beyond 2^20, and
   those that are no number, are integers from 0x49800000 up. */
static void copy_samples(float *to, const float *from, int count)
{
    const uint32_t *in = (const uint32_t *)from;
    uint32_t *out = (uint32_t *)to;
    for (int n = 0; n < count; n++) out[n] = (in[n] & 0x7fffffff) < 0x49800000 ? in[n] : 0;
}

/* The samples from the middle of the block before to the middle of this one; -1 where it cannot be decoded. */
static int decode_packet(const uint8_t *packet, int bytes, int at)
{
    int length, left, right;
    int segments = bytes / 255 + 1;
    if (segments > MAX_SEGMENTS) return -1;
    memset(decoder->segments, 255, segments - 1);
    decoder->segments[segments - 1] = bytes % 255;
    decoder->segment_count = segments;
    decoder->next_seg = 0;
    decoder->bytes_in_seg = 0;
    decoder->last_seg = FALSE;
    decoder->page_flag = 0;
    decoder->end_seg_with_known_loc = -2;
    decoder->stream = (uint8_t *)packet;
    decoder->stream_end = (uint8_t *)packet + bytes;
    decoder->eof = FALSE;
    decoder->error = VORBIS__no_error;
    if (!vorbis_decode_packet(decoder, &length, &left, &right)) return -1;
    int samples = vorbis_finish_frame(decoder, length, left, right);
    int middle = decoder->blocksize_1 / 2;
    int next_ahead = right > middle ? right - middle : 0;
    int finished = samples > next_ahead ? samples - next_ahead : 0;
    int before = samples > 0 ? ahead_samples : 0;
    if (at + before + finished > MAX_OUTPUT_SAMPLES || next_ahead > 4096) __builtin_trap();
    for (int c = 0; c < decoder->channels; c++)
    {
        memcpy(output[c] + at, ahead[c], sizeof(float) * before);
        copy_samples(output[c] + at + before, decoder->channel_buffers[c] + left, finished);
        copy_samples(ahead[c], decoder->channel_buffers[c] + right - next_ahead, next_ahead);
    }
    ahead_samples = next_ahead;
    return before + finished;
}

/* Decodes `count` packets that lie one behind the other in `input`, their lengths in `lengths`. Answers the samples
   in `output`, of each audio channel. */
int EXPORT(decode)(int count)
{
    const uint8_t *packet = input;
    int at = 0;
    bad_packets = 0;
    for (int i = 0; i < count; packet += lengths[i++])
    {
        int samples = decode_packet(packet, lengths[i], at);
        if (samples >= 0)
        {
            at += samples;
            continue;
        }
        bad_packets++;
        forget();
    }
    return at;
}

/* How many packets of the last `decode` could not be decoded. */
int EXPORT(bad_packet_count)(void) { return bad_packets; }
