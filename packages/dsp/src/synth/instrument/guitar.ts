import { decayFactor } from '../decay.ts';
import { StateVariableFilter } from '../filter.ts';
import { frequencyOf } from '../pitch.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/** Parameters of a guitar and its playing. */
export interface GuitarTone {
  /** Plucking point as a fraction of the length of the string from the bridge: 0.1 is thin, 0.25 round. */
  readonly pickPosition: number;
  /** Cutoff in Hz of the pluck at full strength; soft plucks are darker. */
  readonly brightHz: number;
  /** Weight of the last sample in the mean of the loop, 0.1 (new steel) to 0.5 (gut): the damping of high partials. */
  readonly softness: number;
  /** Time in which an open string falls by 60 dB. */
  readonly ringSeconds: number;
  /** Level of the resonances of the body relative to the string. */
  readonly body: number;
}

/** Resonances of air and plates of a steel-string guitar: Hz, quality, level. */
const BODY = [
  [104, 5, 0.9],
  [206, 6, 0.8],
  [420, 4, 0.35],
] as const;

/**
 * Renders one note of an acoustic guitar by a plucked-string model.
 *
 * Noise is low-passed by the strength of the pluck, loses the partials with a node at the plucking point, and
 * circulates in a loop of the length of the string; the resonances of the body are added. At its end the note is
 * damped. Mono, RMS at the beginning about 0.4 of `velocity`.
 *
 * pluck → (loop: loss → tuning) → + body → damping
 *
 * @param durationSeconds time until the string is damped
 * @param velocity 0 to 1
 * @see Karplus, Strong, "Digital synthesis of plucked-string and drum timbres", CMJ 7(2), 1983
 * @see Jaffe, Smith, "Extensions of the Karplus-Strong plucked-string algorithm", CMJ 7(2), 1983
 * @see Fletcher, Rossing, "The physics of musical instruments", 1998, chapter 9 (resonances of the body)
 */
export function renderGuitar(
  midi: number,
  durationSeconds: number,
  velocity: number,
  tone: GuitarTone,
  random: Random,
): StereoSamples {
  const hz = frequencyOf(midi);
  const held = samplesIn(Math.min(durationSeconds, tone.ringSeconds * 0.8));
  const samples = new Float32Array(held + samplesIn(0.25));
  const { softness } = tone;
  // The loss filter delays by its softness, the all-pass by the remaining fraction of a sample.
  const period = SAMPLE_RATE_HZ / hz - softness;
  const whole = Math.floor(period - 0.1);
  const fraction = period - whole;
  const allpass = (1 - fraction) / (1 + fraction);
  const loop = pluck(whole, velocity, tone, random);
  const gain = 0.001 ** (1 / (hz * tone.ringSeconds));
  const body = BODY.map(([cutoffHz, q]) => new StateVariableFilter(cutoffHz, q));
  const [air, top, back] = body as [StateVariableFilter, StateVariableFilter, StateVariableFilter];
  const [airLevel, topLevel, backLevel] = BODY.map(([, , level]) => level * tone.body) as [
    number,
    number,
    number,
  ];
  const damping = decayFactor(0.045);
  let outputGain = 0.4 * velocity;
  let at = 0;
  let previous = 0;
  let passed = 0;
  let lastLost = 0;
  for (let index = 0; index < samples.length; index++) {
    const out = loop[at]!;
    const lost = gain * ((1 - softness) * out + softness * previous);
    previous = out;
    passed = allpass * (lost - passed) + lastLost;
    lastLost = lost;
    loop[at] = passed;
    at = at + 1 === whole ? 0 : at + 1;
    air.process(out);
    top.process(out);
    back.process(out);
    if (index >= held) outputGain *= damping;
    samples[index] = outputGain * (out + airLevel * air.band + topLevel * top.band + backLevel * back.band);
  }
  fadeEnd(samples, 0.03);
  return monoSamples(samples);
}

/** Returns the initial content of the string: RMS 1, no offset. */
function pluck(length: number, velocity: number, tone: GuitarTone, random: Random): Float32Array {
  const finger = new StateVariableFilter(tone.brightHz * (0.25 + 0.75 * velocity * velocity), 0.6);
  const noise = new Float32Array(length);
  // The filter first runs over one period, so that its transient is not audible as a click.
  const raw = Float32Array.from(noise, () => random() * 2 - 1);
  for (const sample of raw) finger.process(sample);
  for (let index = 0; index < length; index++) noise[index] = finger.process(raw[index]!);
  const knot = Math.max(1, Math.round(length * tone.pickPosition));
  const shape = noise.map((sample, index) => sample - noise[(index + length - knot) % length]!);
  let power = 0;
  for (const sample of shape) power += sample * sample;
  const scale = Math.sqrt(length / (power + 1e-12));
  return shape.map((sample) => sample * scale);
}
