/**
 * Sings lines for `voice_parts.py`: each line of the input is a JSON object with the notes, the singer, the seed and the
 * path of the file to write, 32-bit floats, mono at 44.1 kHz, beginning 0.25 s before the phrase's zero. Answered by a
 * line each.
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
