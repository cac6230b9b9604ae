import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SearchResult, scoreCandidate } from './score-candidate.ts';

const wanted = { artist: 'Kestrel Row', title: 'Amber Harbour', durationMs: 200_000 };
const found = (title: string, channel: string, seconds: number | null): SearchResult => ({
  title,
  channel,
  durationMs: seconds === null ? null : seconds * 1000,
});

test('scores candidates by length, text and channel', () => {
  const table: readonly [SearchResult, number, boolean][] = [
    // 0.45 + 0.35 + 0.2
    [found('Amber Harbour', 'Kestrel Row - Topic', 200), 1, true],
    [found('Kestrel Row – AMBER HARBOUR', 'Kestrel Row', 202), 1, true],
    // half of the length score is lost at 6 s
    [found('Kestrel Row - Amber Harbour', 'Kestrel Row', 206), 0.45 / 2 + 0.55, true],
    // an unrelated channel
    [found('Kestrel Row - Amber Harbour', 'uploads', 200), 0.8, true],
    // an official channel that is not the artist's
    [found('Kestrel Row - Amber Harbour', 'SongsVEVO', 200), 0.8 + 0.2 * 0.6, true],
    // no mention of the artist
    [found('Amber Harbour', 'uploads', 200), 0.45 + 0.35 * 0.7, true],
    // unknown length
    [found('Kestrel Row - Amber Harbour', 'uploads', null), 0.225 + 0.35, true],
    // another version
    [found('Kestrel Row - Amber Harbour (Live)', 'uploads', 200), 0.55, true],
    // 10 s is the largest accepted difference, with a length score of zero
    [found('Kestrel Row - Amber Harbour', 'uploads', 210), 0.35, true],
    [found('Kestrel Row - Amber Harbour', 'Kestrel Row', 210.1), 0.55, false],
    [found('Kestrel Row - Amber Harbour', 'Kestrel Row', 189.9), 0.55, false],
    // half of the title's terms are enough, fewer are not
    [found('Kestrel Row - Amber', 'uploads', 200), 0.45 + 0.35 * (0.35 + 0.3), true],
    [found('Kestrel Row - Interview', 'uploads', 200), 0.45 + 0.35 * 0.3, false],
  ];
  for (const [result, score, isSafe] of table) {
    const got = scoreCandidate(wanted, result);
    assert.ok(Math.abs(got.score - score) < 1e-9, `${result.title}: ${got.score} instead of ${score}`);
    assert.equal(got.isSafe, isSafe, result.title);
  }
});

test('does not subtract for a version word that is part of the wanted title', () => {
  const live = { ...wanted, title: 'Live Forever' };
  assert.equal(scoreCandidate(live, found('Kestrel Row - Live Forever', 'Kestrel Row', 200)).score, 1);
});

test('returns a signed difference, and null where either length is unknown', () => {
  assert.equal(scoreCandidate(wanted, found('x', 'y', 195)).differenceMs, -5000);
  assert.equal(scoreCandidate(wanted, found('x', 'y', null)).differenceMs, null);
  assert.equal(scoreCandidate({ ...wanted, durationMs: 0 }, found('x', 'y', 195)).differenceMs, null);
});

test('matches titles regardless of accents, capitals and scripts', () => {
  const song = { artist: 'Ó Súilleabháin', title: '東京ライン', durationMs: 100_000 };
  assert.equal(scoreCandidate(song, found('O SUILLEABHAIN 東京ライン', 'O Suilleabhain', 100)).score, 1);
});
