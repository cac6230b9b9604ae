import { decayFactor } from '../decay.ts';
import { frequencyOf } from '../pitch.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';
import { sineOf } from '../wavetable.ts';

/** Parameters of an electric piano. */
export interface ElectricPianoTone {
  /** Modulation index of the tone bar at full velocity, 0.5 to 3. */
  readonly bark: number;
  /** Level of the bell-like tine, 0 to 1. */
  readonly tine: number;
  /** Time constant of the decay at middle C; higher notes decay faster. */
  readonly decaySeconds: number;
}

/**
 * Renders an electric piano by frequency modulation with two pairs of operators.
 *
 * They are a tone bar at 1:1 and a tine with a high modulator that decays at once. The ratio of the tine keeps its
 * sidebands below 15 kHz. Mono.
 *
 * @param velocity 0 to 1; loud notes are brighter
 * @see Chowning, "The synthesis of complex audio spectra by means of frequency modulation", JAES 21(7), 1973
 */
export function renderElectricPiano(
  midi: number,
  durationSeconds: number,
  velocity: number,
  tone: ElectricPianoTone,
): StereoSamples {
  const held = samplesIn(durationSeconds);
  const samples = new Float32Array(held + samplesIn(0.45));
  const hz = frequencyOf(midi);
  const decay = tone.decaySeconds * 2 ** ((60 - midi) / 24);
  const tineRatio = Math.max(2, Math.min(14, Math.floor(9000 / hz)));
  const step = hz / SAMPLE_RATE_HZ;
  const levelFactor = decayFactor(decay);
  const releaseFactor = decayFactor(0.09);
  const barkFactor = decayFactor(0.35 * decay);
  const bellFactor = decayFactor(0.07);
  const tineFactor = decayFactor(0.12);
  // Modulation index in turns, like the phase.
  const index1 = (tone.bark * velocity * velocity) / (2 * Math.PI);
  let level = 0.5 * velocity;
  let bark = 0.65;
  let bell = 0.7 / (2 * Math.PI);
  let tine = tone.tine;
  let phase = 0;
  for (let index = 0; index < samples.length; index++) {
    const modulator = sineOf(phase + 1);
    const bar = sineOf(phase + 1 + index1 * (0.35 + bark) * modulator);
    const strike = tine > 0.002 ? tine * sineOf(phase + 1 + bell * sineOf(phase * tineRatio)) : 0;
    samples[index] = Math.min(1, index / 90) * level * (bar + strike);
    phase += step;
    if (phase >= 1) phase -= 1;
    level *= levelFactor;
    if (index >= held) level *= releaseFactor;
    bark *= barkFactor;
    bell *= bellFactor;
    tine *= tineFactor;
  }
  fadeEnd(samples, 0.05);
  return monoSamples(samples);
}
