import { open, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import {
  type AlacMp4,
  createAlacMp4,
  type Mp4Tag,
  type NamedStem,
  stemBox,
} from '@stem-studio/dsp/format/alac-mp4';
import { type AlacPacket, alacPacketFrames, createAlacEncoder } from '@stem-studio/dsp/format/encode-alac';
import { alignBlocks } from '@stem-studio/dsp/mix/align-blocks';
import type { StemTags } from './stem-tags.ts';
import { fitsIntegers, openSum, peakOf, type SumOfFiles } from './sum-of-files.ts';

/** Request to the encoding thread. Paths are absolute. */
export interface EncodeStemFileRequest {
  /** Four groups, each the sum of its stems from one separation; silence without stems. */
  readonly groups: readonly (NamedStem & { readonly inputPaths: readonly string[] })[];
  readonly outputPath: string;
  readonly tags: StemTags;
  readonly coverPath: string | null;
}

/** Packets per chunk of a track, about one second. */
const packetsOfChunk = 11;
const chunkFrames = packetsOfChunk * alacPacketFrames;

/** Headroom below full scale for floats written as integers: sums of rounded stems may be off by two steps. */
const headroom = 1 - 2 ** -12;

/**
 * Writes a STEM file: the song and its four stems in Apple Lossless. The song is the sum of the stems; if the song or
 * a stem exceeds the integer range, all five are attenuated equally.
 *
 * @see https://www.native-instruments.com/en/specials/stems/
 */
export async function encodeStemFile(request: EncodeStemFileRequest): Promise<void> {
  const { groups } = request;
  const filled = groups.filter(({ inputPaths }) => inputPaths.length > 0);
  const paths = filled.map(({ inputPaths }) => inputPaths);
  const peaks: number[] = [];
  for (const each of [...paths, paths.flat()]) peaks.push(await peakOf(each));
  const peak = Math.max(...peaks);
  const sums: SumOfFiles[] = [];
  const out = await open(request.outputPath, 'w');
  try {
    for (const each of paths) sums.push(await openSum(each));
    const info = sums[0]?.info;
    if (!info) throw new Error('there must be a stem to encode');
    const bitDepth = info.bits_per_sample === 16 ? 16 : 24;
    const isExact = info.bits_per_sample !== 32 && fitsIntegers(peak, bitDepth);
    const gain = isExact ? 1 : headroom / Math.max(1, peak);
    const stem = stemBox(groups.map(({ name, color }) => ({ name, color })));
    const tags = await tagsOf(request);
    const mp4 = createAlacMp4({ sampleRate: info.sample_rate, bitDepth, trackCount: 5, stem, tags });
    const chunks = createChunks(mp4, bitDepth);
    await out.writeFile(mp4.head());
    for await (const blocks of alignBlocks(sums.map(({ blocks: each }) => each))) {
      const byGroup = groups.map((group) => blocks[filled.indexOf(group)] ?? null);
      for (const bytes of chunks.push(byGroup, gain)) await out.writeFile(bytes);
    }
    for (const bytes of chunks.flush()) await out.writeFile(bytes);
    const { tail, patches } = mp4.finish();
    await out.writeFile(tail);
    for (const { bytes, offset } of patches) await out.write(bytes, 0, bytes.length, offset);
  } finally {
    for (const sum of sums) await sum.close();
    await out.close();
  }
}

/** Returns the tags in MP4 form, without empty ones and unsupported image types. */
async function tagsOf({ tags, coverPath }: EncodeStemFileRequest): Promise<Mp4Tag[]> {
  const { title, artist, album, genre, bpm, initialKey } = tags;
  const found: Mp4Tag[] = Object.entries({
    '©nam': title,
    '©ART': artist,
    '©alb': album,
    '©gen': genre,
    initialkey: initialKey,
  }).flatMap(([name, value]) => (value === '' ? [] : [{ name, kind: 'text', value: Buffer.from(value) }]));
  const beats = Number(bpm);
  if (beats > 0)
    found.push({ name: 'tmpo', kind: 'number', value: Uint8Array.of(Math.floor(beats / 256), beats % 256) });
  const kind = coverPath === null ? '' : extname(coverPath).slice(1);
  if (coverPath !== null && (kind === 'jpeg' || kind === 'png'))
    found.push({ name: 'covr', kind, value: new Uint8Array(await readFile(coverPath)) });
  return found;
}

/** Buffers samples and encodes them chunk by chunk: the song first, then the four stems. */
function createChunks(mp4: AlacMp4, bitDepth: 16 | 24) {
  const scale = 2 ** (bitDepth - 1);
  const encoders = Array.from({ length: 5 }, () => createAlacEncoder(bitDepth));
  const tracks = encoders.map(() => [new Int32Array(chunkFrames), new Int32Array(chunkFrames)] as const);
  let held = 0;

  function* flush(): Generator<Uint8Array> {
    if (held === 0) return;
    for (const [track, [left, right]] of tracks.entries()) {
      const packets: AlacPacket[] = [];
      for (let at = 0; at < held; at += alacPacketFrames) {
        const end = Math.min(held, at + alacPacketFrames);
        packets.push(
          (encoders[track] as (typeof encoders)[number]).encode(
            left.subarray(at, end),
            right.subarray(at, end),
          ),
        );
      }
      yield mp4.append(track, packets);
    }
    held = 0;
  }

  /** Yields both channels of each group, a mono signal on both; null for silence. */
  function* push(groups: readonly (readonly Float32Array[] | null)[], gain: number): Generator<Uint8Array> {
    const length = groups.find((group) => group !== null)?.[0]?.length ?? 0;
    for (let from = 0; from < length; ) {
      const count = Math.min(chunkFrames - held, length - from);
      for (const side of [0, 1] as const) {
        const song = (tracks[0] as (typeof tracks)[number])[side];
        song.fill(0, held, held + count);
        for (const [index, group] of groups.entries()) {
          const stem = (tracks[index + 1] as (typeof tracks)[number])[side];
          const samples = group?.[side] ?? group?.[0];
          for (let i = 0; i < count; i++) {
            const value = samples ? Math.round((samples[from + i] as number) * gain * scale) : 0;
            stem[held + i] = value;
            song[held + i] = (song[held + i] as number) + value;
          }
        }
      }
      held += count;
      from += count;
      if (held === chunkFrames) yield* flush();
    }
  }

  return { push, flush };
}
