import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWavOrder } from './surround-order.ts';

test('reorders surround audio of Vorbis and Opus to the order of WAV', () => {
  const orders: [given: string, wanted: string][] = [
    ['M', 'M'],
    ['L R', 'L R'],
    ['L C R', 'L R C'],
    ['L R bl br', 'L R bl br'],
    ['L C R bl br', 'L R C bl br'],
    ['L C R bl br lfe', 'L R C lfe bl br'],
    ['L C R sl sr bc lfe', 'L R C lfe bc sl sr'],
    ['L C R sl sr bl br lfe', 'L R C lfe bl br sl sr'],
  ];
  for (const [given, wanted] of orders) {
    const names = given.split(' ');
    const block = names.map((_, index) => Float32Array.of(index));
    const got = toWavOrder(block).map((samples) => names[samples[0] ?? 0]);
    assert.equal(got.join(' '), wanted);
  }
});
