/**
 * Synthesises sung lines for `voice_parts.py`. Each input line is a JSON object with the notes, the singer, the seed
 * and the path of the output file. The file has 32-bit floats, mono at 44.1 kHz, and starts 0.25 s before time zero
 * of the phrase. Each input line is answered with a line.
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Singer, SungNote } from '../packages/dsp/src/synth/voice/gestures.ts';
import { singPhrase } from '../packages/dsp/src/synth/voice/sing.ts';

interface Order {
  readonly notes: readonly SungNote[];
  readonly singer: Singer;
  readonly seed: number;
  readonly path: string;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { notes, singer, seed, path } = JSON.parse(line) as Order;
  writeFileSync(path, singPhrase(notes, singer, seed).left);
  process.stdout.write('sung\n');
}
