/**
 * Separates audio as the separator does, for `synthesise_songs.py`. Each input line is the path of a file of 32-bit
 * floats at 44.1 kHz, the left channel followed by the right one. The file is overwritten with the `other` stem of
 * `hybrid_4_ft`, and the reply is a line.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createFourStemSeparator } from '../packages/dsp/src/separate/four-stems.ts';
import { createVoiceMaskEstimator } from '../packages/dsp/src/separate/voice-masks.ts';
import { voiceWeights } from '../packages/separator/src/backends/voice-weights.ts';

const voice = await createVoiceMaskEstimator(readFileSync(voiceWeights));
const separator = await createFourStemSeparator('refined', voice);

for await (const path of createInterface({ input: process.stdin })) {
  const bytes = readFileSync(path);
  const audio = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).slice();
  const sides = { left: audio.slice(0, audio.length / 2), right: audio.slice(audio.length / 2) };
  const stems = Object.values(separator.separate(sides.left.slice(), sides.right.slice()).stems);
  for (const [s, side] of (['left', 'right'] as const).entries()) {
    const rest = sides[side].map((x, i) => stems.reduce((left, stem) => left - (stem[side][i] as number), x));
    audio.set(rest, (s * audio.length) / 2);
  }
  writeFileSync(path, audio);
  process.stdout.write('done\n');
}
