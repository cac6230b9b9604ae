import { frequencyOf } from '../pitch.ts';
import { fadeEnd, monoSound, SAMPLE_RATE_HZ, type Sound, samplesIn } from '../sound.ts';

/** How an electric piano sounds. */
export interface ElectricPianoTone {
  /** How hard the tone bar is driven: index of modulation at full velocity, 0.5 to 3. */
  readonly bark: number;
  /** Level of the bell-like tine, 0 to 1. */
  readonly tine: number;
  /** Time constant of the decay at middle C; higher notes die sooner. */
  readonly decaySeconds: number;
}

/**
 * An electric piano: two pairs of operators in frequency modulation, a bar 1:1 and a tine whose modulator
 * lies high and dies at once. The tine's ratio is chosen so that its sidebands stay below 15 kHz. Mono.
 *
 * @param velocity 0 to 1; loud notes are brighter
 * @see Chowning, "The synthesis of complex audio spectra by means of frequency modulation", JAES 21(7), 1973
 */
export function renderElectricPiano(
  midi: number,
  durationSeconds: number,
  velocity: number,
  tone: ElectricPianoTone,
): Sound {
  const held = samplesIn(durationSeconds);
  const samples = new Float32Array(held + samplesIn(0.45));
  const hz = frequencyOf(midi);
  const decay = tone.decaySeconds * 2 ** ((60 - midi) / 24);
  const tineRatio = Math.max(2, Math.min(14, Math.floor(9000 / hz)));
  let release = 1;
  const index1 = tone.bark * velocity * velocity;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    const turn = 2 * Math.PI * hz * seconds;
    if (index >= held) release *= 1 - 1 / (0.09 * SAMPLE_RATE_HZ);
    const envelope = Math.min(1, seconds / 0.002) * Math.exp(-seconds / decay) * release;
    const barIndex = index1 * (0.35 + 0.65 * Math.exp(-seconds / (0.35 * decay)));
    const bar = Math.sin(turn + barIndex * Math.sin(turn));
    const tine =
      seconds < 0.6 ? Math.sin(turn + 0.7 * Math.exp(-seconds / 0.07) * Math.sin(turn * tineRatio)) : 0;
    const tineLevel = tone.tine * Math.exp(-seconds / 0.12);
    samples[index] = velocity * 0.5 * envelope * (bar + tineLevel * tine);
  }
  fadeEnd(samples, 0.05);
  return monoSound(samples);
}
