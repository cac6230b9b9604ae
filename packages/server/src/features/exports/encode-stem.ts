import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { type StemTags, writeStemTags } from './stem-tags.ts';

/** What the thread is asked. Paths are absolute. */
export interface EncodeStemRequest {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly format: 'flac' | 'mp3';
  /** Every sample is multiplied by it, so that what exceeds full scale fits into integers. */
  readonly gain: number;
  readonly tags: StemTags;
  /** A picture that goes into the file, its kind being its ending; null for none. */
  readonly coverPath: string | null;
}

const mp3BitrateKbps = 320;

function encoderFor(format: EncodeStemRequest['format'], info: AudioInfo): Promise<AudioEncoder> {
  const sampleRate = info.sample_rate;
  const channels = info.channels === 1 ? 1 : 2;
  return format === 'mp3'
    ? createMp3Encoder({ sampleRate, channels, bitrateKbps: mp3BitrateKbps })
    : createFlacEncoder({ sampleRate, channels, bitDepth: info.bits_per_sample === 16 ? 16 : 24 });
}

/** Encodes a stored stem as a file with tags. A file, because both formats patch their first bytes at the end. */
export async function encodeStem(request: EncodeStemRequest): Promise<void> {
  const { gain } = request;
  const source = await openAudio(createReadStream(request.inputPath, { highWaterMark: 1 << 18 }));
  const encoder = await encoderFor(request.format, source.info);
  const out = await open(request.outputPath, 'w');
  try {
    for await (const block of source.blocks) {
      const fitted = gain === 1 ? block : block.map((samples) => samples.map((sample) => sample * gain));
      const bytes = await encoder.encode(fitted);
      if (bytes.length > 0) await out.writeFile(bytes);
    }
    const { tail, patches } = await encoder.finish();
    if (tail.length > 0) await out.writeFile(tail);
    for (const { bytes, offset } of patches) await out.write(bytes, 0, bytes.length, offset);
  } finally {
    await source.close();
    await encoder.close();
    await out.close();
  }
  await writeStemTags(request.outputPath, request.tags, request.coverPath);
}
