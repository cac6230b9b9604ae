import { AudioFormatError } from './audio-format-error.ts';

/** Lowest and highest sample rate that is taken for sound, in Hz. */
export const SAMPLE_RATE_RANGE_HZ = [1000, 768_000] as const;
/** Most audio channels in one file. */
export const MAX_CHANNELS = 8;

/** @throws AudioFormatError `malformed` where rate or number of audio channels cannot be those of a song */
export function checkSoundShape(sampleRate: number, channels: number): void {
  const [lowest, highest] = SAMPLE_RATE_RANGE_HZ;
  if (!(sampleRate >= lowest && sampleRate <= highest)) {
    throw new AudioFormatError(
      'malformed',
      `the sample rate must be ${lowest} to ${highest} Hz (got ${sampleRate})`,
    );
  }
  if (!(channels >= 1 && channels <= MAX_CHANNELS)) {
    throw new AudioFormatError(
      'malformed',
      `a file must have 1 to ${MAX_CHANNELS} audio channels (got ${channels})`,
    );
  }
}
