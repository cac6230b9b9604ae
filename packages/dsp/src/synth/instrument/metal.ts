import { decayFactor } from '../decay.ts';
import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, type Sound, samplesIn } from '../sound.ts';
import { TableOscillator, waveTable } from '../wavetable.ts';

/** How a cymbal sounds. */
export interface MetalTone {
  /** Time constant of the decay. */
  readonly decaySeconds: number;
  /** Below this all is taken away. */
  readonly highpassHz: number;
  /** Tuning of the six ringing partials, 1 for a hi-hat. */
  readonly pitch: number;
  /** Share of ringing partials against noise, 0 to 1. */
  readonly ring: number;
  /** Level of the stick's attack. */
  readonly stick: number;
}

/** Closed hi-hat. */
export const closedHat: MetalTone = {
  decaySeconds: 0.032,
  highpassHz: 7200,
  pitch: 1,
  ring: 0.4,
  stick: 0.5,
};
/** Open hi-hat. */
export const openHat: MetalTone = { decaySeconds: 0.17, highpassHz: 6400, pitch: 1, ring: 0.4, stick: 0.3 };
/** Shaker: noise alone. */
export const shaker: MetalTone = { decaySeconds: 0.04, highpassHz: 5200, pitch: 1, ring: 0, stick: 0 };
/** Ride cymbal. */
export const ride: MetalTone = { decaySeconds: 0.5, highpassHz: 4200, pitch: 1.45, ring: 0.65, stick: 1 };
/** Crash cymbal. */
export const crash: MetalTone = { decaySeconds: 0.9, highpassHz: 2900, pitch: 1.2, ring: 0.3, stick: 0.4 };

const PARTIALS_HZ = [263, 400, 421, 474, 587, 845];

/**
 * A hi-hat, ride or crash: six squares that share no common period and noise, high-passed twice, with a decay
 * of two speeds. The two sides share the ring and have noise of their own. Peak about `velocity`.
 *
 * @param velocity 0 to 1; soft hits are shorter and darker
 * @see Roland TR-808 service notes, 1981 (six Schmitt-trigger oscillators of the cymbals)
 */
export function renderMetal(velocity: number, tone: MetalTone, random: Random): Sound {
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

/** The sound backwards: a crash that is drawn in towards a downbeat. */
export function reverseSound(sound: Sound): Sound {
  return { left: sound.left.toReversed(), right: sound.right.toReversed() };
}
