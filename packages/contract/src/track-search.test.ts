import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseTrackSearch, type SearchTempo, type SearchTerm, tempoBounds } from './track-search.ts';

const textTerm = (text: string, isExcluded = false) => ({ kind: 'text', text, isExcluded });
const field = (name: string, text: string, isExcluded = false) => ({
  kind: 'field',
  field: name,
  text,
  isExcluded,
});

/** Parses a search that consists of a single term and returns the term. */
function only(text: string): SearchTerm {
  const terms = parseTrackSearch(text);
  assert.equal(terms.length, 1, text);
  return terms[0] as SearchTerm;
}

function boundsOf(text: string): [number | null, number | null] {
  const term = only(text);
  assert.equal(term.kind, 'bpm', text);
  const { min, below } = tempoBounds((term as { tempo: SearchTempo }).tempo);
  return [min, below];
}

test('splits terms, keeps a quoted phrase together, and excludes a term with a leading dash', () => {
  assert.deepEqual(parseTrackSearch('  deep   House '), [textTerm('deep'), textTerm('House')]);
  assert.deepEqual(parseTrackSearch('"deep house" -live'), [textTerm('deep house'), textTerm('live', true)]);
  assert.deepEqual(parseTrackSearch('-"radio edit" AC-DC - x'), [
    textTerm('radio edit', true),
    textTerm('AC-DC'),
    textTerm('-'),
    textTerm('x'),
  ]);
  assert.deepEqual(parseTrackSearch('7" "open end'), [textTerm('7"'), textTerm('open end')]);
  assert.deepEqual(parseTrackSearch('"" -'), [textTerm('-')]);
  assert.deepEqual(parseTrackSearch(''), []);
});

test('searches a field by name regardless of case, with or without a space after the colon', () => {
  assert.deepEqual(parseTrackSearch('artist:"The Foresters" Title:birch -tag:live'), [
    field('artist', 'The Foresters'),
    field('title', 'birch'),
    field('tag', 'live', true),
  ]);
  assert.deepEqual(parseTrackSearch('album: Forest genre:house'), [
    field('album', 'Forest'),
    field('genre', 'house'),
  ]);
});

test('treats quoted conditions and unknown fields as text', () => {
  assert.deepEqual(parseTrackSearch('"bpm:124"'), [textTerm('bpm:124')]);
  assert.deepEqual(parseTrackSearch('II:Date ~artist:x ~'), [
    textTerm('II:Date'),
    textTerm('~artist:x'),
    textTerm('~'),
  ]);
});

test('matches tempi that round to the written value', () => {
  assert.deepEqual(boundsOf('bpm:124'), [123.5, 124.5]);
  assert.deepEqual(boundsOf('BPM: 124'), [123.5, 124.5]);
  const [min, below] = boundsOf('bpm:124,0');
  assert.ok(Math.abs((min ?? 0) - 123.95) < 1e-9 && Math.abs((below ?? 0) - 124.05) < 1e-9);
  assert.deepEqual(boundsOf('bpm:120-128'), [119.5, 128.5]);
  assert.deepEqual(boundsOf('bpm:128–120'), [119.5, 128.5]);
  assert.deepEqual(boundsOf('bpm:120..128'), [119.5, 128.5]);
  assert.deepEqual(boundsOf('bpm:120-'), [119.5, null]);
  assert.deepEqual(boundsOf('bpm:>=120'), [119.5, null]);
  assert.deepEqual(boundsOf('bpm:≤128'), [null, 128.5]);
  assert.deepEqual(boundsOf('bpm:<128'), [null, 128]);
  assert.deepEqual(boundsOf('bpm:>120'), [120, null]);
  const over = only('bpm:>120');
  assert.ok(over.kind === 'bpm' && tempoBounds(over.tempo).isMinExcluded);
});

test('searches a key by name or wheel position, and compatible keys with a tilde', () => {
  for (const text of ['key:Am', 'key:8A', 'key:1m', 'key:"A minor"', 'key:A minor', 'KEY: a min'])
    assert.deepEqual(only(text), { kind: 'key', key: 'A minor', isExcluded: false }, text);
  assert.deepEqual(only('~key:8a'), { kind: 'near_key', key: 'A minor', isExcluded: false });
  assert.deepEqual(only('-key:Bb'), { kind: 'key', key: 'A# major', isExcluded: true });
  assert.deepEqual(parseTrackSearch('key:A minority'), [
    { kind: 'key', key: 'A major', isExcluded: false },
    textTerm('minority'),
  ]);
});

test('searches tempi within reach of the pitch fader with a tilde', () => {
  assert.deepEqual(only('~bpm:124'), { kind: 'near_bpm', bpm: 124, isExcluded: false });
  assert.deepEqual(only('~bpm:124.5'), { kind: 'near_bpm', bpm: 124.5, isExcluded: false });
});

test('searches an invalid condition as text and reports the problem', () => {
  const troubled = (text: string) => {
    const term = only(text);
    return term.kind === 'text' ? [term.text, term.trouble] : [];
  };
  assert.deepEqual(troubled('bpm:fast'), ['bpm:fast', 'no tempo']);
  assert.deepEqual(troubled('bpm:5000'), ['bpm:5000', 'no tempo']);
  assert.deepEqual(troubled('~bpm:120-128'), ['~bpm:120-128', 'no single tempo']);
  assert.deepEqual(troubled('~bpm:0'), ['~bpm:0', 'no single tempo']);
  assert.deepEqual(troubled('key:H'), ['key:H', 'no key']);
  assert.deepEqual(troubled('title:'), ['title:', 'no value']);
  assert.deepEqual(troubled('-key:""'), ['key:""', 'no value']);
  assert.deepEqual(troubled('bpm:" '), ['bpm:"', 'no value']);
  assert.deepEqual(parseTrackSearch('bpm: fast'), [
    { ...textTerm('bpm:'), trouble: 'no value' },
    textTerm('fast'),
  ]);
  assert.deepEqual(
    parseTrackSearch('artist: bpm:120 title: -x').map((term) => term.kind),
    ['text', 'bpm', 'text', 'text'],
  );
});

const spelled = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'bpm:',
    '~bpm:',
    'key:',
    '~key:',
    'tag:',
    '-',
    '"',
    ' ',
    '124',
    '120-128',
    '>',
    '8A',
    'A min',
  ),
);
const anySearch = fc.array(spelled, { maxLength: 12 }).map((parts) => parts.join(''));

test('parses any text into terms that contain only parts of it', () => {
  fc.assert(
    fc.property(anySearch, (text) => {
      for (const term of parseTrackSearch(text)) {
        if (term.kind === 'text' || term.kind === 'field') {
          assert.ok(term.text !== '' && term.text === term.text.trim());
          assert.ok(text.includes(term.text));
        }
        if (term.kind === 'bpm') {
          const { min, below } = tempoBounds(term.tempo);
          assert.ok(min !== null || below !== null);
          assert.ok(min === null || below === null || min < below);
        }
      }
    }),
  );
});

test('splits text without operators only at spaces', () => {
  const plain = fc.string({ maxLength: 60 }).map((text) => text.replace(/["~:-]/g, 'x'));
  fc.assert(
    fc.property(plain, (text) => {
      const expected = text.split(/\s+/).filter((word) => word !== '');
      assert.deepEqual(
        parseTrackSearch(text),
        expected.map((word) => textTerm(word)),
      );
    }),
  );
});

test('parses a term independently of the terms before it', () => {
  const part = fc.constantFrom(
    'word',
    '"two terms"',
    '-no',
    'bpm:124',
    '~key:8A',
    'key:F# minor',
    'tag:"a b"',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      assert.deepEqual(parseTrackSearch(parts.join(' ')), parts.flatMap(parseTrackSearch));
    }),
  );
});
