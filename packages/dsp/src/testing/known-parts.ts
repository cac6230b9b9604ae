import type { StereoAudio } from '../separate/four-stems.ts';

const rate = 44_100;

/** Four synthesised stems. */
export type Parts = Record<'vocals' | 'drums' | 'bass' | 'other', StereoAudio>;

/** Synthesises a bass of three notes, noise clicks, a central voice with vibrato, and wide chords. */
export function knownParts(seconds: number): Parts {
  const length = Math.round(seconds * rate);
  const side = (sample: (t: number, i: number) => number): Float32Array =>
    Float32Array.from({ length }, (_, i) => sample(i / rate, i));
  const tone = (t: number, hz: number, harmonics: number): number => {
    let sum = 0;
    for (let h = 1; h <= harmonics; h++) sum += Math.sin(2 * Math.PI * hz * h * t) / h;
    return sum;
  };
  const bass = side((t) => 0.25 * tone(t, [55, 65.41, 82.41][Math.floor(t) % 3] as number, 2));
  let state = 7;
  const drums = side((t) => {
    state = (state * 48_271) % 2_147_483_647;
    const sinceHit = t % 0.5;
    return 0.8 * ((state / 2_147_483_647) * 2 - 1) * Math.exp(-sinceHit / 0.06);
  });
  // A melody with portamento and a vibrato of six cycles per second.
  let phase = 0;
  const vocals = side((t) => {
    const note = 300 * 2 ** (Math.sin(2 * Math.PI * 0.23 * t) / 3);
    phase += (2 * Math.PI * note * (1 + 0.02 * Math.sin(2 * Math.PI * 6 * t))) / rate;
    let sum = 0;
    for (let h = 1; h <= 8; h++) sum += Math.sin(phase * h) / h;
    return 0.15 * sum;
  });
  const chord = (t: number, roots: readonly number[]): number =>
    roots.reduce((sum, hz) => sum + tone(t, hz * (Math.floor(t / 2) % 2 === 0 ? 1 : 1.122), 5), 0);
  return {
    bass: { left: bass, right: bass },
    drums: { left: drums, right: drums },
    vocals: { left: vocals, right: vocals },
    other: {
      left: side((t) => 0.06 * chord(t, [392, 493.9, 587.3])),
      right: side((t) => -0.06 * chord(t, [440, 523.3, 659.3])),
    },
  };
}

/** Returns the sum of audio of one length. */
export const add = (...signals: StereoAudio[]): StereoAudio => {
  const [first] = signals as [StereoAudio];
  const sum = (name: 'left' | 'right'): Float32Array =>
    first[name].map((_, i) => signals.reduce((total, signal) => total + (signal[name][i] as number), 0));
  return { left: sum('left'), right: sum('right') };
};

/** Returns the sum of the squares of both channels. */
export const power = (signal: StereoAudio): number =>
  [signal.left, signal.right].reduce((sum, side) => sum + side.reduce((total, x) => total + x * x, 0), 0);

/** Returns `a` minus `b`. */
export const subtract = (a: StereoAudio, b: StereoAudio): StereoAudio => ({
  left: a.left.map((x, i) => x - (b.left[i] as number)),
  right: a.right.map((x, i) => x - (b.right[i] as number)),
});

/** Returns the signal-to-distortion ratio in dB. */
export const sdrDb = (truth: StereoAudio, estimate: StereoAudio): number =>
  10 * Math.log10(power(truth) / power(subtract(truth, estimate)));
