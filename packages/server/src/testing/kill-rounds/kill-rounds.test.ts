import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playKillRounds } from './kill-rounds.ts';
import { victims } from './studio-processes.ts';

test('loses no acknowledged write and leaves nothing behind, whichever process is killed', async () => {
  const rounds = await playKillRounds({ rounds: victims.length, seed: 1 });
  assert.deepEqual(
    rounds.flatMap(({ lost, broken, processes }) => [...lost, ...broken, ...processes]),
    [],
  );
  assert.ok(rounds.every(({ acknowledged }) => acknowledged > 0));
  assert.ok(rounds.some(({ jobs }) => jobs > 0));
});
