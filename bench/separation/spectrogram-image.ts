import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { writePng } from '@stem-studio/dsp/synth/image/png';
import { createRealFft, loadFft } from '@stem-studio/dsp/transform/fft';

/** Time range that is drawn. */
export interface Excerpt {
  readonly fromSeconds: number;
  readonly seconds: number;
}

const sampleRate = 44_100;
const frameSize = 4096;
const columns = 1400;
const rowsEach = 220;
const gapRows = 6;
const lowestHz = 40;
const highestHz = 16_000;
/** Range in dB from the loudest level of all recordings to black. */
const rangeDb = 80;
/**
 * Black, violet, red, yellow, white: each lighter than the previous, so that the image is readable without colours too.
 */
const colours = [
  [0, 0, 4],
  [66, 10, 104],
  [187, 55, 84],
  [249, 142, 9],
  [252, 255, 164],
] as const;

/**
 * Draws the spectrograms of recordings as one PNG image, the first on top: frequency from 40 Hz to 16 kHz on a
 * logarithmic axis, time to the right, 80 dB from the loudest to black, with one scale for all of them.
 */
export async function drawSpectrograms(
  signals: readonly StereoAudio[],
  excerpt: Excerpt,
): Promise<Uint8Array> {
  await loadFft();
  const levelMaps = signals.map((signal) => levelsOf(signal, excerpt));
  const loudest = Math.max(
    ...levelMaps.flatMap((plane) => plane.reduce((most, db) => Math.max(most, db), -200)),
  );
  const height = signals.length * (rowsEach + gapRows) - gapRows;
  const rgb = new Uint8Array(columns * height * 3).fill(255);
  for (const [index, plane] of levelMaps.entries()) {
    const top = index * (rowsEach + gapRows);
    for (let y = 0; y < rowsEach; y++)
      for (let x = 0; x < columns; x++) {
        const level = ((plane[x * rowsEach + y] as number) - loudest) / rangeDb + 1;
        rgb.set(colourOf(level), ((top + rowsEach - 1 - y) * columns + x) * 3);
      }
  }
  return writePng(columns, height, rgb);
}

/** Returns the loudest level in dB of each pixel, column by column, from the lowest frequency up. */
function levelsOf({ left, right }: StereoAudio, { fromSeconds, seconds }: Excerpt): Float32Array {
  const fft = createRealFft(frameSize);
  const [re, im] = [new Float32Array(fft.binCount), new Float32Array(fft.binCount)];
  const samples = new Float32Array(frameSize);
  const power = new Float32Array(fft.binCount);
  const levels = new Float32Array(columns * rowsEach);
  const binOf = (row: number): number =>
    (lowestHz * (highestHz / lowestHz) ** (row / rowsEach) * frameSize) / sampleRate;
  for (let x = 0; x < columns; x++) {
    const start = Math.round((fromSeconds + (seconds * x) / columns) * sampleRate) - frameSize / 2;
    power.fill(0);
    for (const side of [left, right]) {
      for (let i = 0; i < frameSize; i++)
        samples[i] = (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSize)) * (side[start + i] ?? 0);
      fft.forward(samples, re, im);
      for (let k = 0; k < power.length; k++)
        power[k] = (power[k] as number) + (re[k] as number) ** 2 + (im[k] as number) ** 2;
    }
    for (let y = 0; y < rowsEach; y++) {
      const to = Math.max(Math.ceil(binOf(y + 1)), Math.floor(binOf(y)) + 1);
      let most = 0;
      for (let k = Math.floor(binOf(y)); k < to; k++) most = Math.max(most, power[k] ?? 0);
      levels[x * rowsEach + y] = 10 * Math.log10(most + 1e-12);
    }
  }
  fft.dispose();
  return levels;
}

/** Returns the colour of a level from 0 (black) to 1 (lightest). */
function colourOf(level: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, level)) * (colours.length - 1);
  const below = Math.min(colours.length - 2, Math.floor(at));
  const mix = (channel: 0 | 1 | 2): number => {
    const [from, to] = [colours[below]?.[channel] ?? 0, colours[below + 1]?.[channel] ?? 0];
    return Math.round(from + (to - from) * (at - below));
  };
  return [mix(0), mix(1), mix(2)];
}
