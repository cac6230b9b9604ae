import { pathOf } from '@stem-studio/contract/endpoint';
import {
  addEditOperations,
  createProject,
  getProject,
  listEditOperations,
  setProjectPosition,
} from '@stem-studio/contract/endpoints/projects';
import { editBounds, rateLimits } from '@stem-studio/contract/limits';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import { type IdentifiedEdit, identifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import type { OpenedProject, ProjectState } from '@stem-studio/contract/resources/project';
import { insertSeparatedTrack } from '@stem-studio/server/testing/separated-track';
import { openTestApp } from '@stem-studio/server/testing/test-app';
import type { Bench, BenchRow } from './bench.ts';

const songMs = 360_000;
const types = ['vocals', 'drums', 'bass', 'other', 'guitar', 'piano'] as const;
const count = 1000;
const rounds = 15;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns a function that returns the same numbers from 0 to 1 in each run (a linear congruential generator). */
function createRandom(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns the next operation of a user who edits a song: splits, moves, fades, gains, cuts and faders. */
function nextEdit(state: ProjectState, number: number, random: () => number): IdentifiedEdit {
  const start_ms = Math.floor(random() * (songMs - 5000));
  const end_ms = start_ms + 200 + Math.floor(random() * 4000);
  const stem_type = types[Math.floor(random() * types.length)] ?? 'vocals';
  const clips = state.lanes.find(({ id }) => id === stem_type)?.clips ?? [];
  const clip = clips[Math.floor(random() * clips.length)];
  const span = { start_ms, end_ms, stem_type };
  const kinds: readonly (readonly [string, object])[] = [
    ['split', { start_ms, stem_type }],
    ['split', { start_ms, stem_type }],
    ['move', { clip_ids: [clip?.id ?? 'none'], to_ms: start_ms }],
    ['fade_in', span],
    ['fade_out', { ...span, curve: 'equal_power' }],
    ['volume', { ...span, value: Math.round(random() * 200) }],
    ['volume', { stem_type, value: Math.round(random() * 200) }],
    ['cut', { ...span, end_ms: start_ms + 500 }],
    ['paste', { to_ms: start_ms }],
    ['duplicate', span],
  ];
  const [operation, params] = kinds[Math.floor(random() * kinds.length)] ?? ['paste', { to_ms: 0 }];
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return identifiedEdit.parse({ id, operation, params });
}

function makeEdits(initial: ProjectState): IdentifiedEdit[] {
  const random = createRandom();
  const edits: IdentifiedEdit[] = [];
  let state = initial;
  for (let number = 1; number <= count; number++) {
    const edit = nextEdit(state, number, random);
    edits.push(edit);
    state = applyEdit(state, edit);
  }
  return edits;
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const { context, service, registerUser } = await openTestApp(lifetime, {
      config: { isProduction: true },
    });
    Object.assign(rateLimits.api_auth, { requests: 1_000_000_000 });
    const user = await registerUser();
    const { trackId } = await insertSeparatedTrack(context, user.id, { types, durationMs: songMs });
    const address = await service.listen(0, '127.0.0.1');
    const ask = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ data: unknown; ms: number }> => {
      const askedMs = performance.now();
      const reply = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { data } = (await reply.json()) as { data: unknown };
      const ms = performance.now() - askedMs;
      if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}`);
      return { data, ms };
    };
    const made = await ask('POST', pathOf(createProject, { id: trackId }), {});
    const params = { id: (made.data as OpenedProject).id };
    const initial = createProjectState(types.map((stem_type) => ({ stem_type, duration_ms: songMs })));
    const edits = makeEdits(initial);
    const operations = pathOf(addEditOperations, params);
    for (let at = 0; at < count; at += editBounds.operationsPerRequest)
      await ask('POST', operations, { edits: edits.slice(at, at + editBounds.operationsPerRequest) });

    const open = () => ask('GET', pathOf(getProject, params));
    const opened = (await open()).data as OpenedProject;
    const applied = edits.reduce(applyEdit, initial);
    if (JSON.stringify(applied) !== JSON.stringify(opened.state))
      throw new Error('the service has another state than a window that applies the log');
    const clips = opened.state.lanes.reduce((sum, lane) => sum + lane.clips.length, 0);
    log(`${count} operations are in: ${clips} clips`);

    let { version } = opened;
    const goTo = async (position: number) => {
      const { data, ms } = await ask('PUT', pathOf(setProjectPosition, params), { position, version });
      ({ version } = data as { version: number });
      return ms + (await open()).ms;
    };
    const times = { open: [], undo: [], jump: [], list: [], apply: [] } as Record<string, number[]>;
    for (let round = -1; round < rounds; round++) {
      const appliedMs = performance.now();
      edits.reduce(applyEdit, initial);
      const applyMs = performance.now() - appliedMs;
      const one = {
        open: (await open()).ms,
        undo: await goTo(count - 1),
        jump: await goTo(499 - round),
        list: (await ask('GET', pathOf(listEditOperations, params))).ms,
        apply: applyMs,
      };
      await goTo(count);
      // The first round is a warm-up.
      if (round >= 0) for (const [name, ms] of Object.entries(one)) times[name]?.push(ms);
    }
    const added: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const edit = { id: crypto.randomUUID(), operation: 'split', params: { start_ms: 1 + round } };
      added.push((await ask('POST', operations, { edits: [edit] })).ms);
    }
    const row = (what: string, values: readonly number[] = [], bar?: string): BenchRow => ({
      what,
      value: median(values),
      unit: 'ms',
      ...(bar && { bar }),
    });
    return [
      row(`open a project with ${count} operations (${clips} clips)`, times['open'], '≤ 100 ms'),
      row('undo the last operation and read the state', times['undo'], '≤ 100 ms'),
      row('go to an operation in the middle of the log and read the state', times['jump'], '≤ 100 ms'),
      row(`apply ${count} operations one after another, as a window does`, times['apply'], '≤ 100 ms'),
      row('append an operation', added),
      row(`read the log of ${count} operations`, times['list']),
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures projects of the editor with long logs through HTTP. */
export const bench: Bench = {
  name: 'projects',
  about: 'Opening, undo and appending in a project of six stems with 1,000 edit operations, over HTTP.',
  run: ({ log }) => measure(log),
};
