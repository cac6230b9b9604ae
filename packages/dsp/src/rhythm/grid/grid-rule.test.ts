import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatsPerBarOf } from '../time-signature.ts';
import { detectedRule } from './detected-grid.ts';
import { rhythmOf } from './grid-beats.ts';
import {
  alignedTo,
  type Factor,
  multiplied,
  shiftedByBeats,
  shiftedBySeconds,
  withDownbeatAt,
  withTempo,
  withTimeSignature,
  withTrackTempo,
} from './grid-edits.ts';
import { type GridRule, timelineOf } from './grid-rule.ts';

const songSeconds = 90;
/** Beats that slow down from 126 to 114 bpm, the first at 0.4 s. */
const drifting: number[] = [0.4];
for (let at = 0.4; at < songSeconds - 3; drifting.push(at)) at += 60 / (126 - (12 * at) / songSeconds);
const steady = Array.from({ length: 150 }, (_, index) => 0.4 + (index * 60) / 120);

const grids: readonly (readonly [string, GridRule, readonly number[]])[] = [
  ['even', { kind: 'even', bpm: 120, downbeatSeconds: 0.9, timeSignature: '4/4' }, []],
  ['even from far away', { kind: 'even', bpm: 173.3, downbeatSeconds: -1234.5, timeSignature: '3/4' }, []],
  [
    'following',
    { kind: 'following', downbeatIndex: 1, step: 1, offsetSeconds: 0, timeSignature: '4/4' },
    drifting,
  ],
  [
    'following, edited',
    { kind: 'following', downbeatIndex: 3.5, step: 2 / 3, offsetSeconds: 0.013, timeSignature: '6/8' },
    drifting,
  ],
];

/** Times are rounded to a tenth of a millisecond. */
function assertTimes(got: readonly number[], wanted: readonly number[], what: string): void {
  assert.equal(got.length, wanted.length, what);
  for (const [index, time] of wanted.entries())
    assert.ok(Math.abs((got[index] ?? -1) - time) < 1.01e-4, `${what}: ${got[index]} for ${time}`);
}

function assertSame(one: GridRule, other: GridRule, detected: readonly number[], what: string): void {
  const left = rhythmOf(one, detected, songSeconds);
  const right = rhythmOf(other, detected, songSeconds);
  assertTimes(left.beats, right.beats, `${what}: beats`);
  assertTimes(left.downbeats, right.downbeats, `${what}: downbeats`);
}

test('restores the grid after halving doubled beats, and likewise for every multiple', () => {
  const pairs: readonly (readonly [Factor, Factor])[] = [
    [
      [2, 1],
      [1, 2],
    ],
    [
      [3, 2],
      [2, 3],
    ],
    [
      [1, 3],
      [3, 1],
    ],
  ];
  for (const [name, grid, detected] of grids) {
    for (const [there, back] of pairs)
      assertSame(multiplied(multiplied(grid, there), back), grid, detected, `${name} ${there.join('/')}`);
  }
});

test('moves by one beat after two shifts of half a beat, and moves only the bars by a whole beat', () => {
  for (const [name, grid, detected] of grids) {
    const moved = shiftedByBeats(shiftedByBeats(grid, 0.5), 0.5);
    assertSame(moved, shiftedByBeats(grid, 1), detected, name);
    assertTimes(
      rhythmOf(moved, detected, songSeconds).beats,
      rhythmOf(grid, detected, songSeconds).beats,
      name,
    );
    const bar = beatsPerBarOf(grid.timeSignature);
    assertSame(shiftedByBeats(grid, bar), grid, detected, `${name}, a bar`);
    assertSame(
      shiftedBySeconds(shiftedBySeconds(grid, 0.007), -0.007),
      grid,
      detected,
      `${name}, there and back`,
    );
  }
});

test('covers the whole song after any edit, with no time outside of it', () => {
  const edits: readonly ((grid: GridRule, detected: readonly number[]) => GridRule)[] = [
    (grid) => multiplied(grid, [2, 1]),
    (grid) => multiplied(grid, [1, 2]),
    (grid) => shiftedByBeats(grid, 0.5),
    (grid) => shiftedByBeats(grid, -17),
    (grid) => shiftedBySeconds(grid, songSeconds),
    (grid) => shiftedBySeconds(grid, -songSeconds),
    (grid, detected) => withDownbeatAt(grid, detected, 44),
    (grid, detected) => alignedTo(grid, detected, songSeconds),
    (grid, detected) => withTempo(grid, detected, 20, 0),
    (grid, detected) => withTempo(grid, detected, 400, songSeconds),
    (grid) => withTimeSignature(grid, '7/4'),
  ];
  for (const [name, grid, detected] of grids) {
    for (const [index, edit] of edits.entries()) {
      const edited = edit(grid, detected);
      const { beats, downbeats, bpm } = rhythmOf(edited, detected, songSeconds);
      const what = `${name}, edit ${index}`;
      const period = 60 / bpm;
      assert.ok((beats[0] ?? -1) >= 0 && (beats[0] ?? 0) <= 1.1 * period, `${what} begins at ${beats[0]}`);
      const last = beats.at(-1) ?? 0;
      assert.ok(last <= songSeconds && last >= songSeconds - 1.1 * period, `${what} ends at ${last}`);
      for (const [at, beat] of beats.entries())
        assert.ok(at === 0 || beat > (beats[at - 1] ?? 0), `${what} ascends at ${at}`);
      const bar = beatsPerBarOf(edited.timeSignature);
      const first = beats.indexOf(downbeats[0] ?? -1);
      assert.deepEqual(
        downbeats,
        beats.filter((_, at) => at % bar === first),
        what,
      );
    }
  }
});

test('sets the downbeat at the nearest beat and aligns a beat exactly', () => {
  for (const [name, grid, detected] of grids) {
    const { beats } = rhythmOf(grid, detected, songSeconds);
    const [near, after] = [beats[10] ?? 0, beats[11] ?? 0];
    const at = near + 0.4 * (after - near);
    const counted = rhythmOf(withDownbeatAt(grid, detected, at), detected, songSeconds);
    assertTimes(counted.beats, beats, name);
    assert.ok(
      counted.downbeats.some((time) => Math.abs(time - near) < 1.01e-4),
      name,
    );
    const aligned = alignedTo(grid, detected, at);
    const { beatAt } = timelineOf(aligned, detected);
    assert.ok(Math.abs(beatAt(at) - Math.round(beatAt(at))) < 1e-9, name);
    assert.equal(Math.round(beatAt(at)), Math.round(timelineOf(grid, detected).beatAt(near)), name);
  }
});

test('keeps the beat at the playhead and drops the drift when the tempo is set', () => {
  for (const [name, grid, detected] of grids) {
    const { secondsAt, beatAt } = timelineOf(grid, detected);
    const pivot = secondsAt(Math.round(beatAt(30)));
    const edited = withTempo(grid, detected, 100, 30);
    assert.deepEqual([edited.kind, rhythmOf(edited, detected, songSeconds).bpm], ['even', 100], name);
    const after = timelineOf(edited, detected);
    assert.ok(Math.abs(after.secondsAt(Math.round(beatAt(30))) - pivot) < 1e-9, name);
  }
});

test('keeps the drift for a tempo near a multiple and makes the grid even for any other', () => {
  const following: GridRule = {
    kind: 'following',
    downbeatIndex: 0,
    step: 1,
    offsetSeconds: 0,
    timeSignature: '4/4',
  };
  const { bpm } = rhythmOf(following, drifting, songSeconds);
  for (const [userBpm, step] of [
    [bpm * 2.01, 0.5],
    [bpm / 2, 2],
    [bpm * 1.01, 1],
    [bpm * 1.5, 2 / 3],
  ] as const) {
    const meant = withTrackTempo(following, drifting, bpm, userBpm);
    assert.ok(meant.kind === 'following' && Math.abs(meant.step - step) < 1e-9, `${userBpm}`);
  }
  const even = withTrackTempo(following, drifting, bpm, 100);
  assert.deepEqual([even.kind, rhythmOf(even, [], songSeconds).beats[0]], ['even', 0.4]);
});

test('detects an even grid at integer tempo for beats on a line, and a following grid otherwise', () => {
  const downbeats = steady.filter((_, index) => index % 4 === 2);
  const even = detectedRule({ beats: steady, downbeats, bpm: 120, timeSignature: '4/4' });
  assert.equal(even?.kind === 'even' && even.bpm, 120);
  assert.deepEqual(rhythmOf(even as GridRule, [], 74.95).beats, steady);
  assert.deepEqual(rhythmOf(even as GridRule, [], 74.95).downbeats, downbeats);
  const rounded = detectedRule({ beats: steady, downbeats, bpm: 120.3, timeSignature: '4/4' });
  assert.ok(
    rounded?.kind === 'even' && Math.abs(rounded.bpm - 120) < 1e-6,
    'the beats say more than the number',
  );
  const follows = detectedRule({
    beats: drifting,
    downbeats: drifting.slice(3),
    bpm: 120,
    timeSignature: '',
  });
  assert.deepEqual(follows, {
    kind: 'following',
    downbeatIndex: 3,
    step: 1,
    offsetSeconds: 0,
    timeSignature: '4/4',
  });
  const last = drifting.at(-1) ?? 0;
  const kept = rhythmOf(follows as GridRule, drifting, songSeconds).beats.filter((at) => at <= last + 1e-4);
  assert.equal(kept.length, drifting.length);
  for (const [index, at] of kept.entries()) assert.ok(Math.abs(at - (drifting[index] ?? 0)) <= 5e-5);
});

test('returns no grid for fewer than two detected beats', () => {
  for (const beats of [[], [1.5]])
    assert.equal(detectedRule({ beats, downbeats: [], bpm: 0, timeSignature: '' }), null);
  const following: GridRule = {
    kind: 'following',
    downbeatIndex: 0,
    step: 1,
    offsetSeconds: 0,
    timeSignature: '4/4',
  };
  assert.throws(() => timelineOf(following, [1]), /at least two detected beats \(got 1\)/);
});

test('returns the counted beats of a time signature', () => {
  const beats = { '2/4': 2, '3/4': 3, '4/4': 4, '5/4': 5, '7/4': 7, '6/8': 2, '9/8': 3, '12/8': 4, '': 4 };
  for (const [signature, count] of Object.entries(beats)) assert.equal(beatsPerBarOf(signature), count);
  for (const none of ['0/4', '7/8', 'x', '4/0']) assert.equal(beatsPerBarOf(none), 4, none);
});
