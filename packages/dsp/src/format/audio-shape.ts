import { AudioFormatError } from './audio-format-error.ts';

/** Lowest and highest accepted sample rate, in Hz. */
export const SAMPLE_RATE_RANGE_HZ = [1000, 768_000] as const;
/** Largest number of audio channels in a file. */
export const MAX_CHANNELS = 8;

/**
 * Checks the sample rate, in Hz, and the number of audio channels of a file.
 *
 * @throws AudioFormatError `malformed` if either is out of range
 */
export function checkAudioShape(sampleRate: number, channels: number): void {
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
