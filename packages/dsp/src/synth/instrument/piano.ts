import { decayFactor } from '../decay.ts';
import { StateVariableFilter } from '../filter.ts';
import { frequencyOf } from '../pitch.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/** Striking point of the hammer as a fraction of the length of the string. */
const STRIKE = 1 / 8;

/**
 * Renders a piano by additive synthesis.
 *
 * The partials are those of a stiff string, each sharper than its harmonic, on two slightly detuned strings of which
 * one decays fast and the other slowly; with the knock of the hammer. At its end the note is damped. Mono, peak about
 * 0.7 of `velocity`.
 *
 * @param velocity 0 to 1; loud notes have a harder hammer and so more partials
 * @see Fletcher, Blackham, Stratton, "Quality of piano tones", JASA 34(6), 1962 (inharmonicity)
 * @see Weinreich, "Coupled piano strings", JASA 62(6), 1977 (two speeds of decay)
 */
export function renderPiano(
  midi: number,
  durationSeconds: number,
  velocity: number,
  random: Random,
): StereoSamples {
  const hz = frequencyOf(midi);
  const held = samplesIn(durationSeconds);
  const samples = new Float32Array(held + samplesIn(0.4));
  const stiffness = 0.00025 * 2 ** ((midi - 60) / 9);
  const hardness = 0.34 - 0.2 * velocity;
  const decaySeconds = 0.55 * 2 ** ((60 - midi) / 20);
  for (let partial = 1; partial <= 16; partial++) {
    const partialHz = partial * hz * Math.sqrt(1 + stiffness * partial * partial);
    if (partialHz > 9000) break;
    const level =
      (Math.abs(Math.sin(Math.PI * partial * STRIKE)) / partial) * Math.exp(-hardness * (partial - 1));
    if (level < 0.002) continue;
    const speed = 1 + 0.12 * (partial - 1);
    ring(samples, partialHz, 0.62 * level, decaySeconds / speed);
    ring(samples, partialHz * 1.0005, 0.38 * level, (3.6 * decaySeconds) / speed);
  }
  const knock = new StateVariableFilter(900, 0.7);
  const damper = decayFactor(0.07);
  let gain = 1.15 * velocity;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    if (index < 3000) samples[index]! += 0.25 * knock.process(random() - 0.5) * Math.exp(-seconds / 0.012);
    if (index >= held) gain *= damper;
    samples[index]! *= gain * Math.min(1, seconds / 0.0015);
  }
  fadeEnd(samples, 0.04);
  return monoSamples(samples);
}

/** Adds a decaying sine, computed by a complex rotation per sample. */
function ring(samples: Float32Array, hz: number, level: number, decaySeconds: number): void {
  const shrink = decayFactor(decaySeconds);
  const angle = (2 * Math.PI * hz) / SAMPLE_RATE_HZ;
  const cosStep = shrink * Math.cos(angle);
  const sinStep = shrink * Math.sin(angle);
  // Sound 80 dB below its beginning is inaudible.
  const end = Math.min(samples.length, samplesIn(decaySeconds * 9.2));
  let cosine = level;
  let sine = 0;
  for (let index = 0; index < end; index++) {
    samples[index]! += sine;
    const next = cosine * cosStep - sine * sinStep;
    sine = sine * cosStep + cosine * sinStep;
    cosine = next;
  }
}
