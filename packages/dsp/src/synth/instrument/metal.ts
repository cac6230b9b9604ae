import { decayFactor } from '../decay.ts';
import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, type StereoSamples, samplesIn } from '../stereo-samples.ts';
import { TableOscillator, waveTable } from '../wavetable.ts';

/** Parameters of a cymbal. */
export interface MetalTone {
  /** Time constant of the decay. */
  readonly decaySeconds: number;
  /** Cutoff of the high-pass. */
  readonly highpassHz: number;
  /** Tuning of the six inharmonic partials, 1 for a hi-hat. */
  readonly pitch: number;
  /** Level of the partials relative to the noise, 0 to 1. */
  readonly ring: number;
  /** Level of the attack of the stick. */
  readonly stick: number;
}

/** Parameters of a closed hi-hat. */
export const closedHat: MetalTone = {
  decaySeconds: 0.032,
  highpassHz: 7200,
  pitch: 1,
  ring: 0.4,
  stick: 0.5,
};
/** Parameters of an open hi-hat. */
export const openHat: MetalTone = { decaySeconds: 0.17, highpassHz: 6400, pitch: 1, ring: 0.4, stick: 0.3 };
/** Parameters of a shaker: noise alone. */
export const shaker: MetalTone = { decaySeconds: 0.04, highpassHz: 5200, pitch: 1, ring: 0, stick: 0 };
/** Parameters of a ride cymbal. */
export const ride: MetalTone = { decaySeconds: 0.5, highpassHz: 4200, pitch: 1.45, ring: 0.65, stick: 1 };
/** Parameters of a crash cymbal. */
export const crash: MetalTone = { decaySeconds: 0.9, highpassHz: 2900, pitch: 1.2, ring: 0.3, stick: 0.4 };

const PARTIALS_HZ = [263, 400, 421, 474, 587, 845];

/**
 * Renders a hi-hat, ride or crash.
 *
 * It consists of six square waves without a common period and noise, high-passed twice, with a decay of two rates. Both
 * sides have the same square waves and independent noise. Peak about `velocity`.
 *
 * @param velocity 0 to 1; soft hits are shorter and darker
 * @see Roland TR-808 service notes, 1981 (six Schmitt-trigger oscillators of the cymbals)
 */
export function renderMetal(velocity: number, tone: MetalTone, random: Random): StereoSamples {
  const decay = tone.decaySeconds * (0.75 + 0.35 * velocity);
  const left = new Float32Array(samplesIn(decay * 5));
  const right = new Float32Array(left.length);
  const frequencies = PARTIALS_HZ.map((hz) => hz * tone.pitch * (1 + 0.01 * (random() - 0.5)));
  const partials =
    tone.ring > 0 ? frequencies.map((hz) => new TableOscillator(waveTable('square', hz), random())) : [];
  const pass = [0, 1, 2, 3].map(
    () => new StateVariableFilter(tone.highpassHz * (0.85 + 0.15 * velocity), 0.8),
  );
  const [leftFirst, leftSecond, rightFirst, rightSecond] = pass as [
    StateVariableFilter,
    StateVariableFilter,
    StateVariableFilter,
    StateVariableFilter,
  ];
  const noise = 1 - tone.ring;
  const bodyFactor = decayFactor(decay);
  const stickFactor = decayFactor(0.05 * decay + 0.002);
  let body = 0.6 * velocity;
  let stick = 0.6 * velocity * tone.stick;
  for (let index = 0; index < left.length; index++) {
    let metal = 0;
    for (let partial = 0; partial < partials.length; partial++) {
      metal += partials[partial]!.next(frequencies[partial]!);
    }
    const both = tone.ring * metal * 0.45 + noise * (random() * 2 - 1) * 0.7;
    leftFirst.process(both + noise * (random() - 0.5));
    leftSecond.process(leftFirst.high);
    rightFirst.process(both + noise * (random() - 0.5));
    rightSecond.process(rightFirst.high);
    const envelope = Math.min(1, index / 26) * (body + stick);
    left[index] = envelope * leftSecond.high;
    right[index] = envelope * rightSecond.high;
    body *= bodyFactor;
    stick *= stickFactor;
  }
  fadeEnd(left, decay);
  fadeEnd(right, decay);
  return { left, right };
}

/** Returns the sound reversed, for instance a crash that leads to a downbeat. */
export function reverseSamples(samples: StereoSamples): StereoSamples {
  return { left: samples.left.toReversed(), right: samples.right.toReversed() };
}
