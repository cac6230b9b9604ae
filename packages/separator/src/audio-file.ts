import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { createResampler } from '@stem-studio/dsp/signal/resample';
import { readEnd } from './read-end.ts';
import { SeparationError } from './separation-error.ts';
import type { Stereo } from './stereo.ts';

/** The rate of every stem, in Hz. */
export const stemSampleRate = 44_100;

const maxInputAudioChannels = 8;
const readBytes = 256 * 1024;

/** A decoded audio file. */
export interface SeparableAudio {
  /** 44.1 kHz stereo. */
  readonly blocks: AsyncIterable<Stereo>;
  /** Number of 44.1 kHz frames that the file declares, or null. */
  readonly expectedFrames: number | null;
  /** Messages about damage; complete once `blocks` has ended. */
  warnings(): readonly string[];
}

/**
 * Opens an audio file of any rate with one to eight audio channels as 44.1 kHz stereo.
 *
 * @param options.maxSeconds reads no more than this; null for all of it
 * @param options.maxDurationSeconds a longer file is refused, unless `maxSeconds` is shorter
 * @throws SeparationError `unreadable_audio` or `too_long`, here or while `blocks` is read
 */
export async function openAudioFile(
  path: string,
  { maxSeconds, maxDurationSeconds }: { maxSeconds: number | null; maxDurationSeconds: number },
): Promise<SeparableAudio> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile)
    throw new SeparationError('unreadable_audio', `the audio must be an existing file (got ${path})`);

  const isCut = maxSeconds !== null && maxSeconds <= maxDurationSeconds;
  const limits = isCut ? {} : { maxDurationSeconds };
  const options = { ...limits, readEnd: (bytes: number) => readEnd(path, bytes) };
  const chunks = createReadStream(path, { highWaterMark: readBytes });
  const source = await openAudio(chunks, options).catch((error: unknown) => {
    chunks.destroy();
    throw toSeparationError(error);
  });
  const { sample_rate: sampleRate, channels, declared_frames: declaredFrames } = source.info;
  if (channels < 1 || channels > maxInputAudioChannels) {
    await source.close();
    throw new SeparationError('unreadable_audio', `the audio must have 1 to 8 channels (got ${channels})`);
  }

  const maxFrames = isCut ? Math.round(maxSeconds * stemSampleRate) : Number.POSITIVE_INFINITY;
  const declared =
    declaredFrames === null ? null : Math.round((declaredFrames / sampleRate) * stemSampleRate);
  return {
    blocks: readStereo(source.blocks, sampleRate, maxFrames),
    expectedFrames: declared === null || declared <= 0 ? null : Math.min(declared, maxFrames),
    warnings: () => source.warnings.map((warning) => warning.message),
  };
}

async function* readStereo(
  blocks: AsyncIterable<Float32Array[]>,
  sampleRate: number,
  maxFrames: number,
): AsyncGenerator<Stereo> {
  const resampler = createResampler({ fromRate: sampleRate, toRate: stemSampleRate, channels: 2 });
  let frames = 0;
  const cut = (block: Float32Array[]): Stereo => {
    const [left, right] = block as [Float32Array, Float32Array];
    const count = Math.min(left.length, maxFrames - frames);
    frames += count;
    return { left: left.subarray(0, count), right: right.subarray(0, count) };
  };
  try {
    for await (const block of blocks) {
      yield cut(resampler.process(downmixToStereo(block)));
      if (frames >= maxFrames) return;
    }
  } catch (error) {
    throw toSeparationError(error);
  }
  yield cut(resampler.flush());
}

function toSeparationError(error: unknown): unknown {
  if (!(error instanceof AudioFormatError)) return error;
  const code = error.code === 'too_long' ? 'too_long' : 'unreadable_audio';
  return new SeparationError(code, error.message, { cause: error });
}
