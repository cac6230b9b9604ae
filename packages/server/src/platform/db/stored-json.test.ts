import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { openTestContext } from '../../testing/test-context.ts';
import { storedJson } from './stored-json.ts';

const settings = z.strictObject({
  name: z.string(),
  volume: z.number().min(0).max(1),
  filter: z.strictObject({ cutoff_hz: z.number(), is_on: z.boolean() }),
  pads: z.array(z.strictObject({ slot: z.int(), label: z.string() })),
});
const defaults = { name: '', volume: 1, filter: { cutoff_hz: 1000, is_on: false }, pads: [] };
const stored = storedJson('settings', settings, {
  defaults,
  entryDefaults: { 'pads.*': { label: 'none' } },
});
const whole = {
  name: 'a',
  volume: 0.5,
  filter: { cutoff_hz: 200, is_on: true },
  pads: [{ slot: 1, label: 'x' }],
};

test('reads content of version 1 without a version field', () => {
  assert.deepEqual(stored.toStored(whole), whole);
  assert.deepEqual(stored.parse(whole), { kind: 'readable', value: whole, replaced: [] });
});

test('drops unknown fields at every depth', () => {
  const newer = {
    ...whole,
    colour: 'red',
    filter: { ...whole.filter, slope: 12 },
    pads: [{ slot: 1, label: 'x', mode: 'gate' }],
  };
  assert.deepEqual(stored.parse(newer), { kind: 'readable', value: whole, replaced: [] });
  assert.deepEqual(stored.parse({ schema_version: 9, ...newer }), {
    kind: 'readable',
    value: whole,
    replaced: [],
  });
});

test('fills missing fields with defaults at every depth, also in list entries', () => {
  const { volume: _volume, ...older } = { ...whole, filter: { cutoff_hz: 200 }, pads: [{ slot: 1 }] };
  assert.deepEqual(stored.parse(older), {
    kind: 'readable',
    value: {
      ...whole,
      volume: 1,
      filter: { cutoff_hz: 200, is_on: false },
      pads: [{ slot: 1, label: 'none' }],
    },
    replaced: [],
  });
});

test('replaces unreadable values by the default of the nearest enclosing field, and reports them', () => {
  const damaged = { ...whole, volume: 7, filter: 'on', pads: [{ slot: 'one', label: 'x' }] };
  assert.deepEqual(stored.parse(damaged), {
    kind: 'readable',
    value: { ...whole, volume: 1, filter: defaults.filter, pads: [] },
    replaced: ['volume', 'filter', 'pads'],
  });
  for (const content of [null, 'text', 7, [], {}]) {
    const parsed = stored.parse(content);
    assert.deepEqual(parsed.kind === 'readable' && parsed.value, defaults, JSON.stringify(content));
  }
});

test('reports unreadable content with path and reason if there are no defaults', () => {
  const strict = storedJson('settings', settings);
  const parsed = strict.parse({ ...whole, volume: 7 });
  assert.equal(parsed.kind, 'unreadable');
  assert.match(parsed.kind === 'unreadable' ? parsed.reason : '', /^volume: /);
  assert.equal(strict.parse(undefined).kind, 'unreadable');
});

test('drops an unreadable optional field', () => {
  const partial = storedJson('result', settings.partial(), { defaults: {} });
  assert.deepEqual(partial.parse({ ...whole, volume: 7 }), {
    kind: 'readable',
    value: { name: whole.name, filter: whole.filter, pads: whole.pads },
    replaced: ['volume'],
  });
});

test('upgrades content of every earlier version step by step', () => {
  const now = storedJson('tempo', z.object({ tempo_bpm: z.number(), is_fixed: z.boolean() }), {
    upgrades: [
      (older) => ({ tempo: (older as { bpm: number }).bpm }),
      (older) => ({ tempo_bpm: (older as { tempo: number }).tempo, is_fixed: true }),
    ],
  });
  const value = { tempo_bpm: 120, is_fixed: true };
  assert.equal(now.version, 3);
  for (const content of [{ bpm: 120 }, { schema_version: 2, tempo: 120 }, now.toStored(value)])
    assert.deepEqual(now.parse(content), { kind: 'readable', value, replaced: [] });
  assert.deepEqual(now.toStored(value), { schema_version: 3, ...value });
  const parsed = now.parse(null);
  assert.equal(parsed.kind, 'unreadable');
});

test('stores a list unwrapped in version 1 and wrapped from version 2 on', () => {
  const schema = z.array(z.object({ id: z.int() }));
  const first = storedJson('list', z.array(z.int()));
  assert.equal(first.toText([1, 2]), '[1,2]');
  const second = storedJson('list', schema, {
    upgrades: [(older) => (older as number[]).map((id) => ({ id }))],
  });
  assert.equal(second.toText([{ id: 1 }]), '{"schema_version":2,"value":[{"id":1}]}');
  for (const content of [[1], { schema_version: 2, value: [{ id: 1 }] }])
    assert.deepEqual(second.parse(content), { kind: 'readable', value: [{ id: 1 }], replaced: [] });
});

test('logs unreadable content with its row, also in transactions', async (t) => {
  const logLines: string[] = [];
  const { db } = await openTestContext(t, { logLines });
  const entries = () =>
    logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((entry) => entry['stored'] === 'settings')
      .map(({ row, replaced, reason }) => [row, replaced, typeof reason]);
  assert.deepEqual(stored.read(db, whole, 'row 1'), whole);
  assert.deepEqual(entries(), []);
  assert.equal(stored.read(db, { ...whole, volume: 7 }, 'row 2')?.volume, 1);
  await db.transaction().execute(async (tx) => {
    assert.equal(storedJson('settings', settings).read(tx, {}, 'row 3'), null);
  });
  assert.deepEqual(entries(), [
    ['row 2', ['volume'], 'undefined'],
    ['row 3', undefined, 'string'],
  ]);
});
