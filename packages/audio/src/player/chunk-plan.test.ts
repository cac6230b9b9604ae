import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptRange, LOADED, type LoadSituation, MISSING, nextRun } from './chunk-plan.ts';

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
