import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { networkStemTypes, type SeparatorWeights } from '@stem-studio/contract/separation-weights';
import type { SeparatorRequest, SeparatorResult } from '@stem-studio/contract/separator';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import { writeInsideNetwork, writeOutsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { type PlainNetwork, type Sides, separatePlainly } from '../testing/plain-pipeline.ts';
import { saveNetwork } from '../testing/save-network.ts';
import { filesIn, type SeparatorRun, startSeparator, writeSong } from '../testing/separator-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'networks-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Two segments, the second of which lacks nearly half. */
const song = writeSong(join(folder, 'song.wav'), 10.3);

const insideGains = [0.1, 0.25, 0.5, 0.15];
const inside = saveNetwork(join(folder, 'inside.onnx'), writeInsideNetwork(insideGains));
const heavy = saveNetwork(join(folder, 'heavy.onnx'), writeInsideNetwork(insideGains, { heavyLayers: 8 }));

const weights = (fields: Partial<SeparatorWeights>): SeparatorWeights => ({
  contract: 'stft_inside',
  stems: 4,
  files: [inside],
  device: 'cpu',
  keeps_memory: false,
  memory_mb: 4000,
  queue: `networks-test-${process.pid}`,
  ...fields,
});

const request = (fields: Partial<SeparatorRequest>): SeparatorRequest => ({
  input_path: song,
  output_dir: join(folder, 'stems'),
  model: 'hybrid_4',
  bit_depth: '32f',
  max_seconds: null,
  max_duration_seconds: 3600,
  weights: weights({}),
  ...fields,
});

async function separated(fields: Partial<SeparatorRequest>): Promise<SeparatorResult> {
  const run = startSeparator(JSON.stringify(request(fields)));
  const code = await run.ended;
  const last = run.messages.at(-1);
  if (last?.type !== 'result') assert.fail(JSON.stringify(last));
  assert.equal(code, 0);
  return last;
}

async function failed(fields: Partial<SeparatorRequest>): Promise<{ code?: string; message: string }> {
  const run = startSeparator(JSON.stringify(request(fields)));
  assert.notEqual(await run.ended, 0);
  const errors = run.messages.filter((message) => message.type === 'error');
  assert.equal(errors.length, 1);
  return errors[0] as { code?: string; message: string };
}

async function sidesOf(path: string): Promise<Sides> {
  const { samples } = await decodeFile(readFileSync(path));
  return samples.map((side) => Float64Array.from(side)) as unknown as Sides;
}

/** The largest difference of two stems. */
function distance(a: Sides, b: Sides): number {
  let most = 0;
  for (const side of [0, 1] as const) {
    assert.equal(a[side].length, b[side].length);
    for (const [i, value] of a[side].entries())
      most = Math.max(most, Math.abs(value - (b[side][i] as number)));
  }
  return most;
}

/** Each stem but `other` is that of the plain pipeline, and all of them sum to the song. */
async function compare(
  result: SeparatorResult,
  networks: Readonly<Partial<Record<StemType, PlainNetwork>>>,
  input = song,
): Promise<void> {
  const mixture = await sidesOf(input);
  const rest = mixture.map((side) => side.slice()) as unknown as Sides;
  for (const [stem, network] of Object.entries(networks)) {
    const found = await sidesOf(result.stems[stem] as string);
    const off = distance(found, separatePlainly(mixture, network));
    assert.ok(off < 3e-6, `${stem} is off by ${off}`);
    for (const side of [0, 1] as const)
      for (const [i, value] of found[side].entries()) rest[side][i] = (rest[side][i] as number) - value;
  }
  assert.ok(distance(await sidesOf(result.stems['other'] as string), rest) < 1e-7);
}

const smoothed = (gain: number): PlainNetwork => ({
  binGain: null,
  waveform: (side) =>
    side.map((value, i) => gain * ((side[i - 1] ?? 0) / 4 + value / 2 + (side[i + 1] ?? 0) / 4)),
});

test('a network with the transform inside equals the reference pipeline within 3e-6', async () => {
  const result = await separated({ output_dir: join(folder, 'inside') });
  assert.deepEqual(Object.keys(result.stems), ['vocals', 'drums', 'bass', 'other']);
  assert.deepEqual([result.backend, result.bit_depth, result.duration_ms], ['onnx', '32f', 10_300]);
  assert.ok((result.segment_ms ?? 0) > 0 && (result.peak_mb ?? 0) > 0);
  await compare(result, { drums: smoothed(0.1), bass: smoothed(0.25), vocals: smoothed(0.15) });
});

test('equals it also for audio shorter than a segment, and of one segment and its neighbours', async () => {
  for (const [name, frames] of [
    ['short', 1000],
    ['hop', 257_985],
    ['more', 257_986],
  ] as const) {
    const input = writeSong(join(folder, `${name}.wav`), frames / 44_100);
    const result = await separated({ input_path: input, output_dir: join(folder, name) });
    await compare(result, { bass: smoothed(0.25), drums: smoothed(0.1), vocals: smoothed(0.15) }, input);
  }
});

test('a six-stem network with the transform outside, an external file and memory kept equals it too', async () => {
  const gains = networkStemTypes[6].map((_, i) => ({ low: 0.1 * i, high: 0.6 - 0.1 * i, direct: i / 30 }));
  const path = join(folder, 'outside', 'network.onnx');
  saveNetwork(path, writeOutsideNetwork(gains, { externalFile: 'network.onnx.data' }));
  const result = await separated({
    model: 'hybrid_6',
    output_dir: join(folder, 'six'),
    weights: weights({ contract: 'stft_outside', stems: 6, files: [path], keeps_memory: true }),
  });
  assert.deepEqual(Object.keys(result.stems).length, 6);
  const plain = networkStemTypes[6].map((stem, i): [StemType, PlainNetwork] => {
    const { low, high, direct } = gains[i] as (typeof gains)[number];
    const network: PlainNetwork = {
      binGain: (bin) => (bin < 100 ? low : high),
      waveform: (side) => side.map((value) => value * direct),
    };
    return [stem, network];
  });
  await compare(result, Object.fromEntries(plain.filter(([stem]) => stem !== 'other')));
});

test('of four networks each gives its own stem, and the one for other is not run', async () => {
  const files = networkStemTypes[4].map((stem, index) => {
    const gains = insideGains.map((_, i) => (i === index ? 0.2 + index / 10 : Number.NaN));
    const path = join(folder, 'bag', `${stem}.onnx`);
    if (stem !== 'other') return saveNetwork(path, writeInsideNetwork(gains));
    return join(folder, 'bag', 'not-even-there.onnx');
  });
  const model = 'hybrid_4_ft';
  const result = await separated({ model, output_dir: join(folder, 'four'), weights: weights({ files }) });
  await compare(result, { drums: smoothed(0.2), bass: smoothed(0.3), vocals: smoothed(0.5) });
});

test('a second separation waits, reports it, and continues when the first is done', async () => {
  const stagesOf = ({ messages }: SeparatorRun) =>
    messages.map((message) => (message.type === 'progress' ? message.stage : message.type));
  const untilReported = async (run: SeparatorRun) => {
    while (stagesOf(run).length === 0 && run.child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  for (let attempt = 1; ; attempt++) {
    // The first is stopped while it holds the lock, so that it is not done before the second starts.
    const first = startSeparator(
      JSON.stringify(request({ output_dir: join(folder, 'first'), weights: weights({ files: [heavy] }) })),
      (message, { child }) => {
        if (message.type === 'progress' && message.stage === 'opening') child.kill('SIGSTOP');
      },
    );
    await untilReported(first);
    const second = startSeparator(JSON.stringify(request({ output_dir: join(folder, 'second') })));
    await untilReported(second);
    const stagesWhileWaiting = stagesOf(second);
    // On a busy machine it may have been done before it was stopped: then again.
    const wasStopped = !stagesOf(first).includes('result');
    first.child.kill('SIGCONT');
    assert.deepEqual([await first.ended, await second.ended], [0, 0]);
    if (!wasStopped && attempt < 5) continue;
    for (const stage of stagesWhileWaiting) assert.match(stage ?? '', /waiting for another separation/);
    assert.ok(stagesOf(second).includes('separating'), stagesOf(second).join(', '));
    return;
  }
});

for (const [what, end] of [
  ['SIGTERM', (child: { kill(signal: 'SIGTERM'): unknown }) => child.kill('SIGTERM')],
  ['the end of its input', (child: { stdin: { end(): unknown } }) => child.stdin.end()],
] as const) {
  test(`${what} while a network runs ends the process at once and leaves no file`, async () => {
    const output = join(folder, what);
    const run = startSeparator(
      JSON.stringify(request({ output_dir: output, weights: weights({ files: [heavy] }) })),
      (message, { child }) => {
        if (message.type === 'progress' && message.stage === 'separating') end(child);
      },
    );
    assert.notEqual(await run.ended, 0);
    assert.ok(run.messages.every((message) => message.type === 'progress'));
    assert.deepEqual(filesIn(output), []);
  });
}

test('an unusable network ends with a message, its error code and no file', async () => {
  const output_dir = join(folder, 'failed');
  const text = join(folder, 'text.onnx');
  writeFileSync(text, 'this is no network');
  const endless = saveNetwork(join(folder, 'endless.onnx'), writeInsideNetwork([1, Number.NaN, 1, 1]));
  const cases: readonly (readonly [Partial<SeparatorWeights>, string, RegExp])[] = [
    [{ files: [text] }, 'model_not_available', /the network cannot be opened: /],
    [{ files: [join(folder, 'none.onnx')] }, 'model_not_available', /the network cannot be opened: /],
    [
      { contract: 'stft_outside' },
      'model_not_available',
      /must be stft_outside with 4 stems \(got stft_inside/,
    ],
    [{ memory_mb: 60 }, 'memory', /may use 60 MB \(got \d+\): raise SEPARATION_MEMORY_MB/],
    [{ files: [endless] }, 'internal', /not finite/],
  ];
  for (const [fields, code, message] of cases) {
    const error = await failed({ output_dir, weights: weights(fields) });
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.deepEqual(filesIn(output_dir), []);
  }
});

test('a device that this machine lacks is reported, and the CPU is used', async () => {
  const device = process.platform === 'darwin' ? 'dml' : 'coreml';
  const result = await separated({ output_dir: join(folder, 'device'), weights: weights({ device }) });
  assert.equal(result.backend, 'onnx');
  assert.match(
    result.warnings?.[0] ?? '',
    new RegExp(`^the networks run on the CPU: ${device} cannot be used here`),
  );
});

test('a process that stays keeps its networks for the next request, and exits when another one waits for the lock', async () => {
  const stays = { stays: true, output_dir: join(folder, 'stays') };
  const { promise: second, resolve: resolveSecond } = Promise.withResolvers<void>();
  let results = 0;
  const first = startSeparator(JSON.stringify(request(stays)), (message, { child }) => {
    if (message.type !== 'result') return;
    results += 1;
    if (results === 1) child.stdin.write(`${JSON.stringify(request(stays))}\n`);
    else resolveSecond();
  });
  await second;
  const last = first.messages.at(-1);
  assert.ok(last?.type === 'result');
  await compare(last, { drums: smoothed(0.1), bass: smoothed(0.25), vocals: smoothed(0.15) });
  const other = await separated({ output_dir: join(folder, 'stays-second') });
  assert.equal(await first.ended, 0);
  await compare(other, { drums: smoothed(0.1), bass: smoothed(0.25), vocals: smoothed(0.15) });
});
