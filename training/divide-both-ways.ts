/**
 * Divides sounds by hand-made rules in both ways, for `synthesise_four_stems.py`: each line of the input is the path of
 * a file of 32-bit floats, the left side and then the right at 44.1 kHz; beside it, with `.shares` behind, are written
 * the shares of every bin, frame after frame, 0 to 255: vocals, drums and bass as `hybrid_4` divides, then as `alt_4`
 * does. Answered by a line with the number of frames.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createPlaneLender } from '../packages/dsp/src/separate/planes.ts';
import { divideAtOnce } from '../packages/dsp/src/separate/stem-shares.ts';
import {
  createSpectrogramTransform,
  writeMagnitude,
} from '../packages/dsp/src/separate/stereo-spectrogram.ts';
import { divideVoiceFirst } from '../packages/dsp/src/separate/voice-first-shares.ts';

const transform = await createSpectrogramTransform();
const planes = createPlaneLender();

for await (const path of createInterface({ input: process.stdin })) {
  const bytes = readFileSync(path);
  const sound = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const half = sound.length / 2;
  const spectrogram = transform.analyse(sound.slice(0, half), sound.slice(half), planes);
  const { leftRe, leftIm, rightRe, rightIm, frameCount } = spectrogram;
  const magnitude = planes.take(leftRe.length);
  writeMagnitude(spectrogram, magnitude);
  const written: Uint8Array[] = [];
  for (const divide of [divideAtOnce, divideVoiceFirst]) {
    const { vocals, drums, bass } = divide(spectrogram, magnitude, planes, () => {});
    for (const share of [vocals, drums, bass])
      written.push(Uint8Array.from(share, (x) => Math.round(255 * x)));
    planes.give(vocals, drums, bass);
  }
  planes.give(magnitude, leftRe, leftIm, rightRe, rightIm);
  writeFileSync(`${path}.shares`, Buffer.concat(written));
  process.stdout.write(`${frameCount}\n`);
}
