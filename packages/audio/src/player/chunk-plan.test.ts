import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chunksToDrop,
  keptPins,
  keptRange,
  LOADED,
  type LoadSituation,
  MISSING,
  nextRun,
} from './chunk-plan.ts';

function situation(chunks: number, fields: Partial<LoadSituation> = {}): LoadSituation {
  return {
    stems: [new Uint8Array(chunks), new Uint8Array(chunks)],
    playhead: 0,
    loop: null,
    window: 1000,
    ...fields,
  };
}

/** Loads every run at once; returns them in order. */
function drain(now: LoadSituation): string[] {
  const runs: string[] = [];
  for (let run = nextRun(now); run; run = nextRun(now)) {
    runs.push(`${run.stem}:${run.first}+${run.count}`);
    now.stems[run.stem]?.fill(LOADED, run.first, run.first + run.count);
  }
  return runs;
}

test('all stems of the chunk at the playhead come before the next chunk', () => {
  assert.deepEqual(drain(situation(4)).slice(0, 6), ['0:0+1', '1:0+1', '0:1+1', '1:1+1', '0:2+1', '1:2+1']);
});

test('everything is fetched once, ahead of the playhead first, then behind it', () => {
  const runs = drain(situation(40, { playhead: 20 }));
  assert.equal(runs[0], '0:20+1');
  assert.equal(runs[6], '0:23+8');
  const behind = runs.findIndex((run) => run.endsWith(':0+8'));
  assert.ok(behind > runs.indexOf('1:31+8'));
  const chunks = runs.reduce((sum, run) => sum + Number(run.split('+')[1]), 0);
  assert.equal(chunks, 80);
});

test('the start of an active loop comes before what follows its end', () => {
  const runs = drain(situation(40, { playhead: 20, loop: { first: 18, last: 22 } }));
  assert.ok(runs.indexOf('0:18+2') > 0 && runs.indexOf('0:18+2') < runs.indexOf('0:23+8'));
});

test('a long song keeps a window around the playhead', () => {
  const long = situation(1000, { playhead: 500, window: 100 });
  assert.deepEqual(keptRange(long), { first: 480, last: 579 });
  assert.deepEqual(keptRange({ ...long, playhead: 0 }), { first: 0, last: 99 });
  assert.deepEqual(keptRange({ ...long, playhead: 999 }), { first: 900, last: 999 });
  drain(long);
  assert.equal(long.stems[0]?.[479], MISSING);
  assert.equal(long.stems[0]?.[480], LOADED);
  assert.equal(long.stems[0]?.[580], MISSING);
});

test('pinned chunks come after those that play next, and take at most half of the window', () => {
  const long = situation(1000, { playhead: 500, window: 100, pins: [10, 11, 900] });
  const runs = drain(long);
  assert.ok(runs.indexOf('0:10+1') > runs.indexOf('0:503+8'));
  assert.ok(runs.indexOf('0:900+1') < runs.indexOf('0:511+8'));
  assert.deepEqual(keptRange(long), { first: 481, last: 577 });
  const many = { ...long, pins: Array.from({ length: 200 }, (_, chunk) => chunk) };
  assert.equal(keptPins(many).length, 50);
  const kept = keptRange(many);
  assert.equal(kept.last - kept.first + 1, 50);
});

test('drops what is farthest from the playhead, only when memory is needed, and never a pinned chunk', () => {
  const long = situation(1000, { playhead: 500, window: 100, pins: [10] });
  drain(long);
  assert.deepEqual(chunksToDrop(long), []);
  const moved = { ...long, playhead: 540 };
  assert.deepEqual(chunksToDrop(moved), []);
  for (const states of moved.stems) states.fill(LOADED, 600, 603);
  assert.deepEqual(chunksToDrop(moved), [481, 482, 483]);
});

test('the nearest chunks behind come first when the playhead moves backwards', () => {
  const runs = drain(situation(40, { playhead: 20, isReversed: true }));
  assert.deepEqual(
    runs.slice(0, 4).map((run) => run.slice(2)),
    ['20+1', '20+1', '19+1', '19+1'],
  );
  assert.ok(runs.includes('0:8+1'));
  assert.ok(runs.indexOf('0:8+1') < runs.findIndex((run) => run.startsWith('0:21')));
});
