import { CHUNK_FRAMES } from '../sources/chunk.ts';
import { StemMixer } from '../stem-mixer/stem-mixer.ts';

/** Sample rate of the tests in Hz. */
export const RATE_HZ = 44_100;

/** Creates a mixer of mono stems whose samples are a function of the frame. */
export function mixerOf(frames: number, ...stems: ((frame: number) => number)[]): StemMixer {
  const mixer = new StemMixer(RATE_HZ);
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: stems.map(() => ({ frames, channels: 1 })) });
  stems.forEach((sampleAt, stem) => {
    for (let index = 0; index * CHUNK_FRAMES < frames; index++) {
      const samples = Float32Array.from({ length: CHUNK_FRAMES }, (_, i) => {
        const frame = index * CHUNK_FRAMES + i;
        return frame < frames ? sampleAt(frame) : 0;
      });
      mixer.apply({ type: 'chunk', stem, index, samples });
    }
  });
  return mixer;
}

/** Renders `frames` samples of output, rounded up to whole blocks, with the limiter’s delay. */
export function render(mixer: StemMixer, frames: number): readonly [Float32Array, Float32Array] {
  const length = Math.ceil(frames / 128) * 128;
  const [left, right] = [new Float32Array(length), new Float32Array(length)];
  for (let at = 0; at < length; at += 128)
    mixer.process(left.subarray(at, at + 128), right.subarray(at, at + 128), 128);
  return [left, right];
}

/** Returns the level of a frequency in dB, where a sine of amplitude 1 over all samples has 0 dB. */
export function levelDb(samples: Float32Array, hz: number): number {
  let [re, im, sum] = [0, 0, 0];
  for (let n = 0; n < samples.length; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / samples.length);
    re += window * samples[n]! * Math.cos((2 * Math.PI * hz * n) / RATE_HZ);
    im += window * samples[n]! * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
    sum += window;
  }
  return 20 * Math.log10((2 * Math.hypot(re, im)) / sum + 1e-12);
}

/** A sine. */
export function tone(hz: number, amplitude: number): (frame: number) => number {
  return (n) => amplitude * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
}
