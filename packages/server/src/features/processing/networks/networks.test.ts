import assert from 'node:assert/strict';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, listModels, separate } from '@stem-studio/contract/endpoints/processing';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { writeInsideNetwork, writeOutsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { systemClock } from '../../../platform/clock.ts';
import { findJob } from '../../../platform/queue/jobs.store.ts';
import { childProcesses, holdStill } from '../../../testing/child-processes.ts';
import { eventually } from '../../../testing/eventually.ts';
import { type LibraryApp, listenTo, openLibrary, untilJob } from '../../../testing/library-steps.ts';
import { saveNetwork } from '../../../testing/save-network.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { drainJobs, type TestOverrides } from '../../../testing/test-context.ts';
import { separatorPoolOf } from '../engines/separator-pool.ts';
import { addModel, removeModel } from './add-model.ts';
import { NetworkRefused } from './network-refused.ts';

type Lifetime = Parameters<typeof openLibrary>[0];

/** Networks with the transform inside that several tests use: a plain one, and one that takes seconds. */
const networks = { plain: {}, heavy: { heavyLayers: 6 } } as const;
type NetworkName = keyof typeof networks;

/** Folders of models in which a network serves `hybrid_4`. Each is filled once, because adding tests the network. */
const filled = new Map<NetworkName, Promise<string>>();
const folders = await mkdtemp(join(tmpdir(), 'stem-studio-networks-'));
after(() => rm(folders, { recursive: true }));

async function openWithNetworks(t: Lifetime, overrides: TestOverrides = {}) {
  const library = await openLibrary(t, {
    ...overrides,
    // Each process ends with its job, so that a test can check that none is left.
    config: { separationRestSeconds: 0, ...overrides.config },
  });
  const { config, folder } = library.context;
  const add = (model: SeparationModelName, paths: readonly string[]) =>
    addModel(model, paths, { config, clock: systemClock, signal: new AbortController().signal, log() {} });
  const pathOf = (name: string): string => join(folder, 'networks', name);
  /** Lets a network serve `hybrid_4`, as `add` does. */
  const install = async (name: NetworkName) => {
    const fill = async () => {
      const modelsDir = join(folders, name, 'models');
      const graph = writeInsideNetwork([0.2, 0.2, 0.2, 0.2], networks[name]);
      const path = saveNetwork(join(folders, name, 'network.onnx'), graph);
      await addModel('hybrid_4', [path], {
        config: { ...config, modelsDir },
        clock: systemClock,
        signal: new AbortController().signal,
        log() {},
      });
      return modelsDir;
    };
    if (!filled.has(name)) filled.set(name, fill());
    await cp((await filled.get(name)) ?? '', config.modelsDir, { recursive: true });
  };
  return { library, add, install, pathOf, modelsDir: config.modelsDir };
}

async function separated(library: LibraryApp, trackId: string, model: SeparationModelName) {
  const accepted = await library.ask(separate, { body: { track_id: trackId, model } });
  assert.equal(accepted.status, 201);
  await drainJobs(library.context);
  const { job_id: id } = accepted.body.data;
  return (await library.ask(getProcessingJob, { params: { id } })).body.data;
}

const separators = () => childProcesses('separator');

/** Waits until a separation by networks is running, and suspends its process. */
async function holdSeparating(received: ReturnType<typeof listenTo>) {
  await eventually(
    () => received.map(({ payload }) => payload['message']),
    (messages) => messages.some((message) => message === 'opening' || message === 'separating'),
  );
  for (const pid of await separators()) holdStill(pid);
}

const modelsOf = async (library: LibraryApp) =>
  Object.fromEntries((await library.ask(listModels)).body.data.models.map((model) => [model.name, model]));

test('serves a model by the networks that the operator adds and reports them in job, stems and list', async (t) => {
  const { library, add, pathOf, modelsDir } = await openWithNetworks(t);
  const gains = Array.from({ length: 6 }, (_, i) => ({ low: 0.1, high: 0.1 * i, direct: 0.05 }));
  const six = writeOutsideNetwork(gains, { externalFile: 'six.data' });
  const installed = await add('hybrid_6', [saveNetwork(pathOf('six.onnx'), six)]);
  assert.deepEqual([installed.contract, installed.stems, installed.files.length], ['stft_outside', 6, 2]);
  assert.ok(installed.tested.freeing_memory.peak_mb > 50 && installed.tested.freeing_memory.segment_ms > 0);
  const models = await modelsOf(library);
  assert.deepEqual([models['hybrid_6']?.available, models['hybrid_6']?.backend], [true, 'onnx']);
  assert.match(
    models['hybrid_6']?.description ?? '',
    /guitar, piano and other by networks that the operator/,
  );
  assert.deepEqual([models['hybrid_4']?.backend, models['hybrid_4']?.note], ['spectral', null]);

  const track = await library.addTrack(await testWav({ seconds: 1 }));
  const job = await separated(library, track.id, 'hybrid_6');
  assert.deepEqual([job.status, job.error, job.backend, job.stems.length], ['completed', null, 'onnx', 6]);
  assert.ok(job.stems.every(({ backend, model }) => backend === 'onnx' && model === 'hybrid_6'));
  const plain = await separated(library, track.id, 'hybrid_4');
  assert.deepEqual([plain.status, plain.backend], ['completed', 'spectral']);

  assert.equal(await removeModel(modelsDir, 'hybrid_6'), true);
  assert.equal(await removeModel(modelsDir, 'hybrid_6'), false);
  assert.deepEqual(await readdir(modelsDir), []);
  const builtIn = await separated(library, track.id, 'hybrid_6');
  assert.deepEqual([builtIn.status, builtIn.backend, builtIn.stems.length], ['completed', 'spectral', 6]);
});

test('adds a bag of four networks in order', async (t) => {
  const { library, add, pathOf } = await openWithNetworks(t);
  const bag = [0, 1, 2, 3].map((i) =>
    saveNetwork(pathOf(`${i}.onnx`), writeInsideNetwork([0, 1, 2, 3].map((j) => (i === j ? 0.2 : 0)))),
  );
  await add('hybrid_4_ft', bag);
  const track = await library.addTrack(await testWav({ seconds: 0.5 }));
  const job = await separated(library, track.id, 'hybrid_4_ft');
  assert.deepEqual([job.error, job.backend, job.stems.length], [null, 'onnx', 4]);
});

test('rejects files that cannot serve the model with the rule and keeps none of them', async (t) => {
  const { add, pathOf, modelsDir } = await openWithNetworks(t);
  const four = saveNetwork(pathOf('four.onnx'), writeInsideNetwork([0.2, 0.2, 0.2, 0.2]));
  const silent = saveNetwork(pathOf('silent.onnx'), writeInsideNetwork([0, 0, 0, 0]));
  const endless = saveNetwork(pathOf('endless.onnx'), writeInsideNetwork([0.1, Number.NaN, 0, 0]));
  const lost = saveNetwork(pathOf('lost.onnx'), {
    ...writeInsideNetwork([0.1, 0.1, 0.1, 0.1], { externalFile: 'lost.data' }),
    beside: {},
  });
  const text = pathOf('text.onnx');
  await writeFile(text, 'no network');
  const refused: readonly (readonly [SeparationModelName, readonly string[], RegExp])[] = [
    ['hybrid_4', [text], /must be an ONNX file/],
    ['hybrid_4', [pathOf('none.onnx')], /must be an existing file/],
    ['hybrid_4', [lost], /cannot be opened/],
    ['hybrid_6', [four], /must give 6 stems \(.*gives 4\)/],
    ['hybrid_4', [four, four], /takes 1 file \(got 2\)/],
    ['hybrid_4_ft', [four], /takes 4 files, in the order drums, bass, other, vocals \(got 1\)/],
    ['hybrid_4_ft', [four, four, four, four], /a network of its own/],
    ['hybrid_4', [silent], /only silence/],
    ['hybrid_4', [endless], /not finite/],
  ];
  for (const [model, paths, rule] of refused) {
    await assert.rejects(
      add(model, paths),
      (error: Error) => error instanceof NetworkRefused && rule.test(error.message),
      String(rule),
    );
    const left = await readdir(modelsDir).catch(() => []);
    assert.deepEqual(left, [], String(rule));
  }
});

test('uses the built-in engine for unusable networks and gives the reason in the list', async (t) => {
  const { library, install, modelsDir } = await openWithNetworks(t);
  await install('plain');
  const [folder] = (await readdir(modelsDir)).filter((name) => !name.endsWith('.json'));
  await appendFile(join(modelsDir, folder ?? '', 'network.onnx'), 'x');
  const changed = (await modelsOf(library))['hybrid_4'];
  assert.deepEqual([changed?.available, changed?.backend], [true, 'spectral']);
  assert.match(changed?.note ?? '', /are not used: .*network\.onnx must have \d+ bytes \(got \d+ bytes\)/);
  const record = join(modelsDir, 'hybrid_4.json');
  const text = await readFile(record, 'utf8');
  await writeFile(record, text.replace('stft_inside', 'stft_nowhere'));
  assert.match((await modelsOf(library))['hybrid_4']?.note ?? '', /cannot be read \(it is no record\)/);
  const track = await library.addTrack(await testWav({ seconds: 0.3 }));
  assert.equal((await separated(library, track.id, 'hybrid_4')).backend, 'spectral');
});

test('does not use networks that need more memory than allowed and names both values', async (t) => {
  const { library, install } = await openWithNetworks(t);
  await install('plain');
  const { config } = library.context;
  const small = await openLibrary(t, {
    config: { modelsDir: config.modelsDir, separationMemoryMb: 64, separationRestSeconds: 0 },
  });
  assert.match(
    (await modelsOf(small))['hybrid_4']?.note ?? '',
    /they need \d+ MB, and SEPARATION_MEMORY_MB is 64/,
  );
});

test('ends the process and leaves no file when a separation by networks is cancelled', async (t) => {
  const { library, install } = await openWithNetworks(t);
  await install('heavy');
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 15 }));
  const { job_id: id } = (await library.ask(separate, { body: { track_id } })).body.data;
  const received = listenTo(library.context, `jobs:${id}`);
  const before = await library.storedFiles();
  await library.context.queue.start(library.context);
  await holdSeparating(received);
  assert.equal((await library.ask(cancelJob, { params: { id } })).status, 204);
  const { status, error } = (await library.ask(getProcessingJob, { params: { id } })).body.data;
  assert.deepEqual([status, error], ['failed', 'cancelled']);
  await eventually(separators, (pids) => pids.length === 0);
  await eventually(library.storedFiles, (files) => files.length <= before.length);
  assert.deepEqual(await library.storedFiles(), before);
});

test('runs one separation by networks at a time and falls back when they are removed meanwhile', async (t) => {
  const { library, install, modelsDir } = await openWithNetworks(t);
  const { context } = library;
  await install('heavy');
  const { id: long } = await library.addTrack(await testWav({ seconds: 15 }));
  const { id: short } = await library.addTrack(await testWav({ seconds: 1 }));
  const first = (await library.ask(separate, { body: { track_id: long } })).body.data.job_id;
  const received = listenTo(context, `jobs:${first}`);
  await context.queue.start(context);
  await holdSeparating(received);
  const second = (await library.ask(separate, { body: { track_id: short } })).body.data.job_id;
  const jobOf = async (id: string) => (await library.ask(getProcessingJob, { params: { id } })).body.data;
  await eventually(
    async () => (await findJob(context.db, second))?.message ?? '',
    (message) => message.startsWith('waiting for another separation'),
  );
  assert.equal((await separators()).length, 1);
  await removeModel(modelsDir, 'hybrid_4');
  assert.equal((await library.ask(cancelJob, { params: { id: first } })).status, 204);
  await untilJob(context, second, 'completed');
  const job = await jobOf(second);
  assert.deepEqual([job.backend, job.stems.length], ['spectral', 4]);
});

test('reuses loaded networks for the next separation and replaces them with new ones', async (t) => {
  const { library, add, install, pathOf, modelsDir } = await openWithNetworks(t, {
    config: { separationRestSeconds: 600 },
  });
  library.context.beforeClose(() => separatorPoolOf(library.context).close());
  await install('plain');
  const track = await library.addTrack(await testWav({ seconds: 0.5 }));
  const pids: (number | undefined)[] = [];
  for (let i = 0; i < 2; i++) {
    assert.equal((await separated(library, track.id, 'hybrid_4')).backend, 'onnx');
    pids.push(...(await separators()));
  }
  assert.equal(pids.length, 2);
  assert.equal(pids[0], pids[1]);
  const before = await readdir(modelsDir);
  await add('hybrid_4', [saveNetwork(pathOf('b.onnx'), writeInsideNetwork([0.1, 0.2, 0.2, 0.2]))]);
  const after = await readdir(modelsDir);
  assert.equal(after.length, 2, String(after));
  assert.notDeepEqual(after, before);
  assert.equal((await separated(library, track.id, 'hybrid_4')).backend, 'onnx');
  const [other] = await separators();
  assert.notEqual(other, pids[0], 'what has the old ones loaded serves nobody any more');
});
