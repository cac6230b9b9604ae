import { createReadStream } from 'node:fs';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { readEnd } from '../../../platform/files/read-end.ts';
import { serveProcess } from '../../../platform/process/serve-process.ts';
import { openSum } from '../sum-of-files.ts';
import { writeAudioFile } from '../write-audio-file.ts';

/** A stem of an archive to be checked. Paths are absolute. */
export interface StemToPrepare {
  /** Name of the file in the archive, for messages. */
  readonly name: string;
  readonly path: string;
  /** WAV file that is written, with the same samples. */
  readonly outputPath: string;
  /** What the manifest states. */
  readonly duration_ms: number;
  readonly sample_rate: number;
  readonly channels: number;
}

/** Request to the process. */
export interface PrepareStemsRequest {
  readonly stems: readonly StemToPrepare[];
  /** WAV file for the sum of the stems, in 32-bit floats; null if the song itself is there. */
  readonly mixPath: string | null;
  readonly maxDurationSeconds: number;
}

/** Largest absolute sample of each stem, or the rule that one violates. */
export type PrepareStemsResult = { readonly peaks: readonly number[] } | { readonly refusal: string };

/** A stem that violates a rule. */
class StemRefused extends Error {
  override readonly name = 'StemRefused';
}

/** Returns the sample format that holds every sample of a file. */
function bitDepthOf({ codec, bits_per_sample }: AudioInfo): '16' | '24' | '32f' {
  if (codec !== 'wav' && codec !== 'flac') return '32f';
  if (bits_per_sample === 24) return '24';
  return bits_per_sample !== null && bits_per_sample <= 16 ? '16' : '32f';
}

async function prepare(stem: StemToPrepare, maxDurationSeconds: number): Promise<number> {
  const { name, path, outputPath, duration_ms, sample_rate, channels } = stem;
  const audio = await openAudio(createReadStream(path, { highWaterMark: 1 << 18 }), {
    maxDurationSeconds,
    readEnd: (count) => readEnd(path, count),
  });
  try {
    const { info } = audio;
    if (info.sample_rate !== sample_rate || info.channels !== channels)
      throw new StemRefused(
        `${name} must have ${sample_rate} Hz and ${channels} channels, as the manifest states (it has ${info.sample_rate} Hz and ${info.channels})`,
      );
    let frames = 0;
    let peak = 0;
    const blocks = async function* () {
      for await (const block of audio.blocks) {
        frames += block[0]?.length ?? 0;
        for (const samples of block)
          for (let n = 0; n < samples.length; n++) {
            const level = Math.abs(samples[n]!);
            if (level > peak) peak = level;
          }
        yield block;
      }
    };
    const shape = { sampleRate: sample_rate, channels: channels === 1 ? 1 : 2 } as const;
    await writeAudioFile(createWavEncoder({ ...shape, bitDepth: bitDepthOf(info) }), blocks(), outputPath);
    const [damage] = audio.warnings;
    if (damage) throw new StemRefused(`${name} must be undamaged (${damage.message})`);
    const durationMs = (1000 * frames) / sample_rate;
    if (Math.abs(durationMs - duration_ms) > 1)
      throw new StemRefused(
        `${name} must last ${duration_ms} ms, as the manifest states (it lasts ${Math.round(durationMs)} ms)`,
      );
    return peak;
  } finally {
    await audio.close();
  }
}

async function writeMix(stems: readonly StemToPrepare[], mixPath: string): Promise<void> {
  const sum = await openSum(stems.map(({ outputPath }) => outputPath));
  try {
    const { sample_rate: sampleRate, channels } = sum.info;
    const shape = { sampleRate, channels: channels === 1 ? 1 : 2, bitDepth: '32f' } as const;
    await writeAudioFile(createWavEncoder(shape), sum.blocks, mixPath);
  } finally {
    await sum.close();
  }
}

/** Decodes stems of an archive completely and writes them as the studio stores them. Progress is a fraction. */
serveProcess<PrepareStemsRequest, PrepareStemsResult>(
  async ({ stems, mixPath, maxDurationSeconds }, report) => {
    const peaks: number[] = [];
    try {
      for (const [index, stem] of stems.entries()) {
        const peak = await prepare(stem, maxDurationSeconds).catch((error: unknown) => {
          if (error instanceof AudioFormatError) throw new StemRefused(`${stem.name}: ${error.message}`);
          throw error;
        });
        peaks.push(peak);
        report((index + 1) / (stems.length + 1));
      }
      const rates = new Set(stems.map(({ sample_rate }) => sample_rate));
      if (rates.size > 1)
        throw new StemRefused(`the stems must have one sample rate (they have ${[...rates].join(', ')} Hz)`);
      if (mixPath !== null) await writeMix(stems, mixPath);
      return { peaks };
    } catch (error) {
      if (error instanceof StemRefused) return { refusal: error.message };
      throw error;
    }
  },
);
