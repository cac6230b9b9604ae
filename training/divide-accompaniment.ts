/**
 * Separates audio with the voice network and the rules of `hybrid_4`, for `accompaniment_divider.py`. The argument is
 * the path of `voice.weights`. Each input line is an order and the path of a file of 32-bit floats at 44.1 kHz, the
 * left channel followed by the right one; results are files of 32-bit floats with that path and a suffix:
 *
 * - `voice`: `.voice`, the masks of the voice, left, then right
 * - `divide`: `.accompaniment`, the audio without the voice, and `.masks`, the rules' masks of drums and bass
 * - `finish`: reads `.masks`, those of drums left, drums right, bass left, bass right for the accompaniment of the last
 *   `divide`, and writes `.stems`, the audio of vocals, drums and bass
 *
 * The reply is the line `done`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { estimateAccompanimentMasks } from '../packages/dsp/src/separate/accompaniment-masks.ts';
import { createBufferPool } from '../packages/dsp/src/separate/buffer-pool.ts';
import { removeVoice } from '../packages/dsp/src/separate/remove-voice.ts';
import { sharpenOnsets } from '../packages/dsp/src/separate/sharpen-onsets.ts';
import {
  createSpectrogramTransform,
  type StereoSpectrogram,
  writeMagnitude,
} from '../packages/dsp/src/separate/stereo-spectrogram.ts';
import { createVoiceMaskEstimator } from '../packages/dsp/src/separate/voice-masks.ts';

interface Sides {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

const transform = await createSpectrogramTransform();
const voice = await createVoiceMaskEstimator(readFileSync(process.argv[2] as string));
const pool = createBufferPool();
let divided: { readonly spectrogram: StereoSpectrogram; readonly accompaniment: Sides } | null = null;

const readFloats = (path: string): Float32Array => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};
const writeFloats = (path: string, parts: readonly Float32Array[]): void =>
  writeFileSync(path, Buffer.concat(parts.map((x) => new Uint8Array(x.buffer, x.byteOffset, x.byteLength))));

function release({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram): void {
  pool.release(leftRe, leftIm, rightRe, rightIm);
}

function divide({ left, right }: Sides, path: string): void {
  if (divided !== null) release(divided.spectrogram);
  const spectrogram = transform.analyse(left, right, pool);
  removeVoice(spectrogram, voice.estimate(left, right));
  const accompaniment = transform.synthesise(spectrogram);
  const magnitude = pool.acquire(spectrogram.leftRe.length);
  writeMagnitude(spectrogram, magnitude);
  const { drums, bass } = estimateAccompanimentMasks(magnitude, pool, () => {});
  writeFloats(`${path}.accompaniment`, [accompaniment.left, accompaniment.right]);
  writeFloats(`${path}.masks`, [drums, bass]);
  pool.release(magnitude, drums, bass);
  divided = { spectrogram, accompaniment };
}

function finish(mixture: Sides, path: string): void {
  if (divided === null) throw new Error('finish must follow divide');
  const { spectrogram, accompaniment } = divided;
  const masks = readFloats(`${path}.masks`);
  const size = spectrogram.leftRe.length;
  if (masks.length !== 4 * size) throw new RangeError(`need ${4 * size} mask values (got ${masks.length})`);
  const masked = (values: Float32Array, from: number): Float32Array =>
    values.map((x, i) => x * (masks[from + i] as number));
  const stemAt = (from: number): Sides =>
    transform.synthesise({
      ...spectrogram,
      leftRe: masked(spectrogram.leftRe, from),
      leftIm: masked(spectrogram.leftIm, from),
      rightRe: masked(spectrogram.rightRe, from + size),
      rightIm: masked(spectrogram.rightIm, from + size),
    });
  const vocals: Sides = {
    left: mixture.left.map((x, i) => x - (accompaniment.left[i] as number)),
    right: mixture.right.map((x, i) => x - (accompaniment.right[i] as number)),
  };
  const stems = { vocals, drums: stemAt(0), bass: stemAt(2 * size) };
  sharpenOnsets(mixture, stems);
  writeFloats(
    `${path}.stems`,
    [stems.vocals, stems.drums, stems.bass].flatMap(({ left, right }) => [left, right]),
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  const space = line.indexOf(' ');
  const order = line.slice(0, space);
  const path = line.slice(space + 1);
  const audio = readFloats(path);
  const half = audio.length / 2;
  const sides = { left: audio.slice(0, half), right: audio.slice(half) };
  if (order === 'voice') {
    const masks = voice.estimate(sides.left, sides.right);
    writeFloats(`${path}.voice`, [masks.left, masks.right]);
  } else if (order === 'divide') divide(sides, path);
  else finish(sides, path);
  process.stdout.write('done\n');
}
