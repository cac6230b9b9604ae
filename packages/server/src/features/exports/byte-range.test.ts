import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseByteRange } from './byte-range.ts';

test('a byte range is parsed by RFC 9110', () => {
  const cases: readonly (readonly [string | undefined, object])[] = [
    [undefined, { kind: 'whole' }],
    ['bytes=0-499', { kind: 'part', start: 0, end: 499 }],
    ['bytes=500-', { kind: 'part', start: 500, end: 999 }],
    ['bytes=-500', { kind: 'part', start: 500, end: 999 }],
    ['bytes=-5000', { kind: 'part', start: 0, end: 999 }],
    ['bytes=900-5000', { kind: 'part', start: 900, end: 999 }],
    ['bytes=999-999', { kind: 'part', start: 999, end: 999 }],
    ['bytes=1000-', { kind: 'outside' }],
    ['bytes=-0', { kind: 'outside' }],
    ['bytes=5-2', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['seconds=0-1', { kind: 'whole' }],
  ];
  for (const [header, expected] of cases) assert.deepEqual(parseByteRange(header, 1000), expected, header);
  assert.deepEqual(parseByteRange('bytes=0-', 0), { kind: 'outside' });
});

test('for any header, the range lies within the file', () => {
  fc.assert(
    fc.property(
      fc.string().map((text) => `bytes=${text}`),
      fc.nat(5000),
      (header, size) => {
        const answer = parseByteRange(header, size);
        if (answer.kind === 'part')
          assert.ok(0 <= answer.start && answer.start <= answer.end && answer.end < size);
      },
    ),
  );
});
