import { randomInt } from 'node:crypto';
import { type KillRound, playKillRounds } from '@stem-studio/server/testing/kill-rounds/kill-rounds';
import { victims } from '@stem-studio/server/testing/kill-rounds/studio-processes';
import type { Bench, BenchRow } from './bench.ts';

/** Studios that run at a time, because a round mostly waits. */
const studiosAtOnce = 2;

const faultsOf = ({ lost, broken, processes }: KillRound) => [...lost, ...broken, ...processes];
const sum = (rounds: readonly KillRound[], of: (round: KillRound) => number) =>
  rounds.reduce((total, round) => total + of(round), 0);

function rowsOf(rounds: readonly KillRound[]): BenchRow[] {
  const perVictim = victims.flatMap((victim): BenchRow[] => {
    const some = rounds.filter((round) => round.victim === victim);
    if (some.length === 0) return [];
    const moments = [...Map.groupBy(some, ({ moment }) => moment)].map(
      ([moment, { length }]) => `${length} ${moment}`,
    );
    const killed = some.filter(({ isKilled }) => isKilled).length;
    const jobs = sum(some, (round) => round.jobs);
    const acknowledged = sum(some, (round) => round.acknowledged);
    return [
      { what: `rounds: ${victim} (${moments.join(', ')})`, value: killed, unit: 'killed' },
      { what: `  jobs ended, ${acknowledged} writes acknowledged`, value: jobs, unit: 'jobs' },
      { what: '  findings', value: sum(some, (round) => faultsOf(round).length), unit: '', bar: '0' },
    ];
  });
  return [
    { what: 'rounds of kill -9', value: rounds.length, unit: '' },
    { what: 'writes acknowledged', value: sum(rounds, (round) => round.acknowledged), unit: '' },
    { what: 'writes without a reply', value: sum(rounds, (round) => round.unknown), unit: '' },
    { what: 'jobs ended', value: sum(rounds, (round) => round.jobs), unit: '' },
    { what: 'promises broken', value: sum(rounds, (round) => round.lost.length), unit: '', bar: '0' },
    {
      what: 'rows, files or queue entries that disagree, after the sweeps',
      value: sum(rounds, (round) => round.broken.length),
      unit: '',
      bar: '0',
    },
    {
      what: 'left by the kill, removed by the sweeps',
      value: sum(rounds, (round) => round.swept.length),
      unit: '',
    },
    {
      what: 'processes left over',
      value: sum(rounds, (round) => round.processes.length),
      unit: '',
      bar: '0',
    },
    { what: 'time of a round', value: sum(rounds, (round) => round.seconds) / rounds.length, unit: 's' },
    ...perVictim,
  ];
}

/** Kills processes of a busy studio and compares its data with the replies to its clients. */
export const bench: Bench = {
  name: 'kills',
  about:
    'Rounds of kill -9 of service, worker, engine, PostgreSQL and uploading clients under a mixed load (BENCH_ROUNDS, BENCH_SEED); then the storage check and the promises to the clients.',
  run: async ({ log }) => {
    const rounds = Number(process.env.BENCH_ROUNDS ?? 100);
    const seed = Number(process.env.BENCH_SEED ?? randomInt(1e9));
    log(`seed ${seed}`);
    const studios = Array.from({ length: Math.min(studiosAtOnce, rounds) }, (_, at) =>
      playKillRounds({
        rounds: Math.floor((rounds + at) / studiosAtOnce),
        seed: seed + at,
        log: (line) => log(`studio ${at + 1}, ${line}`),
      }),
    );
    const results = (await Promise.all(studios)).flat();
    return rowsOf(results);
  },
};
