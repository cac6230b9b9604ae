import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseTrackSearch, type SearchTempo, type SearchTerm, tempoBounds } from './track-search.ts';

const words = (text: string, isExcluded = false) => ({ kind: 'words', text, isExcluded });
const field = (name: string, text: string, isExcluded = false) => ({
  kind: 'field',
  field: name,
  text,
  isExcluded,
});

/** The one part that a search consists of. */
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

test('words are words, a quoted phrase is one of them, and a dash before one excludes it', () => {
  assert.deepEqual(parseTrackSearch('  deep   House '), [words('deep'), words('House')]);
  assert.deepEqual(parseTrackSearch('"deep house" -live'), [words('deep house'), words('live', true)]);
  assert.deepEqual(parseTrackSearch('-"radio edit" AC-DC - x'), [
    words('radio edit', true),
    words('AC-DC'),
    words('-'),
    words('x'),
  ]);
  assert.deepEqual(parseTrackSearch('7" "open end'), [words('7"'), words('open end')]);
  assert.deepEqual(parseTrackSearch('"" -'), [words('-')]);
  assert.deepEqual(parseTrackSearch(''), []);
});

test('a field is searched by its name, whatever its case, with or without a space behind the colon', () => {
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

test('quotes make words of what would be a condition, and an unknown field is words', () => {
  assert.deepEqual(parseTrackSearch('"bpm:124"'), [words('bpm:124')]);
  assert.deepEqual(parseTrackSearch('II:Date ~artist:x ~'), [
    words('II:Date'),
    words('~artist:x'),
    words('~'),
  ]);
});

test('a tempo counts as written when it rounds to that', () => {
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

test('a key is asked for by name or by its place on the wheel, and its company by a tilde', () => {
  for (const text of ['key:Am', 'key:8A', 'key:1m', 'key:"A minor"', 'key:A minor', 'KEY: a min'])
    assert.deepEqual(only(text), { kind: 'key', key: 'A minor', isExcluded: false }, text);
  assert.deepEqual(only('~key:8a'), { kind: 'near_key', key: 'A minor', isExcluded: false });
  assert.deepEqual(only('-key:Bb'), { kind: 'key', key: 'A# major', isExcluded: true });
  assert.deepEqual(parseTrackSearch('key:A minority'), [
    { kind: 'key', key: 'A major', isExcluded: false },
    words('minority'),
  ]);
});

test('a tilde before one tempo asks for what a pitch fader reaches', () => {
  assert.deepEqual(only('~bpm:124'), { kind: 'near_bpm', bpm: 124, isExcluded: false });
  assert.deepEqual(only('~bpm:124.5'), { kind: 'near_bpm', bpm: 124.5, isExcluded: false });
});

test('what looks like a condition and is none is searched as it stands, and what is wrong is told', () => {
  const troubled = (text: string) => {
    const term = only(text);
    return term.kind === 'words' ? [term.text, term.trouble] : [];
  };
  assert.deepEqual(troubled('bpm:fast'), ['bpm:fast', 'no tempo']);
  assert.deepEqual(troubled('bpm:5000'), ['bpm:5000', 'no tempo']);
  assert.deepEqual(troubled('~bpm:120-128'), ['~bpm:120-128', 'no single tempo']);
  assert.deepEqual(troubled('~bpm:0'), ['~bpm:0', 'no single tempo']);
  assert.deepEqual(troubled('key:H'), ['key:H', 'no key']);
  assert.deepEqual(troubled('title:'), ['title:', 'no value']);
  assert.deepEqual(troubled('-key:""'), ['key:""', 'no value']);
  assert.deepEqual(troubled('bpm:" '), ['bpm:"', 'no value']);
  assert.deepEqual(parseTrackSearch('bpm: fast'), [{ ...words('bpm:'), trouble: 'no value' }, words('fast')]);
  assert.deepEqual(
    parseTrackSearch('artist: bpm:120 title: -x').map((term) => term.kind),
    ['words', 'bpm', 'words', 'words'],
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

test('whatever is typed is understood in some way, and nothing of it is made up', () => {
  fc.assert(
    fc.property(anySearch, (text) => {
      for (const term of parseTrackSearch(text)) {
        if (term.kind === 'words' || term.kind === 'field') {
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

test('words without signs are split at spaces and nowhere else', () => {
  const plain = fc.string({ maxLength: 60 }).map((text) => text.replace(/["~:-]/g, 'x'));
  fc.assert(
    fc.property(plain, (text) => {
      const expected = text.split(/\s+/).filter((word) => word !== '');
      assert.deepEqual(
        parseTrackSearch(text),
        expected.map((word) => words(word)),
      );
    }),
  );
});

test('parts are understood alike whatever stands before them', () => {
  const part = fc.constantFrom(
    'word',
    '"two words"',
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
