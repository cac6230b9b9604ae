/**
 * Separates audio with both rule-based methods, for `synthesise_four_stems.py`. Each input line is the path of a file
 * of 32-bit floats at 44.1 kHz, the left channel followed by the right one. A file with the suffix `.masks` is
 * written beside it with the masks of every bin, frame by frame, scaled to 0 to 255: vocals, drums and bass as in
 * `hybrid_4`, then as in `alt_4`. The reply is a line with the number of frames.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createBufferPool } from '../packages/dsp/src/separate/buffer-pool.ts';
import { estimateMasksAtOnce } from '../packages/dsp/src/separate/stem-masks.ts';
import {
  createSpectrogramTransform,
  writeMagnitude,
} from '../packages/dsp/src/separate/stereo-spectrogram.ts';
import { estimateMasksVoiceFirst } from '../packages/dsp/src/separate/voice-first-masks.ts';

const transform = await createSpectrogramTransform();
const pool = createBufferPool();

for await (const path of createInterface({ input: process.stdin })) {
  const bytes = readFileSync(path);
  const audio = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const half = audio.length / 2;
  const spectrogram = transform.analyse(audio.slice(0, half), audio.slice(half), pool);
  const { leftRe, leftIm, rightRe, rightIm, frameCount } = spectrogram;
  const magnitude = pool.acquire(leftRe.length);
  writeMagnitude(spectrogram, magnitude);
  const written: Uint8Array[] = [];
  for (const divide of [estimateMasksAtOnce, estimateMasksVoiceFirst]) {
    const { vocals, drums, bass } = divide(spectrogram, magnitude, pool, () => {});
    for (const mask of [vocals, drums, bass]) written.push(Uint8Array.from(mask, (x) => Math.round(255 * x)));
    pool.release(vocals, drums, bass);
  }
  pool.release(magnitude, leftRe, leftIm, rightRe, rightIm);
  writeFileSync(`${path}.masks`, Buffer.concat(written));
  process.stdout.write(`${frameCount}\n`);
}
