import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { separationModelNames, separationModels } from '@stem-studio/contract/separation-models';
import {
  builtInStemTypes,
  type SeparatorRequest,
  type SeparatorResult,
} from '@stem-studio/contract/separator';
import {
  filesIn,
  type SeparatorRun,
  startSeparator,
  writeSong as writeSongAt,
} from './testing/separator-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'separator-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const writeSong = (name: string, seconds: number, gain?: number): string =>
  writeSongAt(join(folder, name), seconds, gain);

const request = (fields: Partial<SeparatorRequest>): SeparatorRequest => ({
  input_path: join(folder, 'none.wav'),
  output_dir: join(folder, 'stems'),
  model: 'hybrid_4',
  bit_depth: '16',
  max_seconds: null,
  max_duration_seconds: 3600,
  ...fields,
});

async function separateFile(
  fields: Partial<SeparatorRequest>,
): Promise<{ run: SeparatorRun; result: SeparatorResult }> {
  const run = startSeparator(JSON.stringify(request(fields)));
  assert.equal(await run.ended, 0);
  return { run, result: run.messages.at(-1) as SeparatorResult };
}

/** What follows the head of the `data` chunk. */
const dataOf = (wav: Buffer): Buffer => wav.subarray(wav.indexOf('data', 0, 'latin1') + 8);

const samplesOf = (path: string): Buffer => dataOf(readFileSync(path));

for (const model of separationModelNames) {
  const { stemTypes } = separationModels[model];
  const song = writeSong(`${model}.wav`, 4);
  // Both tests use this separation.
  let firstRun: ReturnType<typeof separateFile> | undefined;
  const separateFirst = () =>
    (firstRun ??= separateFile({ input_path: song, model, output_dir: join(folder, `${model}-first`) }));

  test(`${model} writes stems that sum to the song, with rising progress and a result at the end`, async () => {
    const { run, result } = await separateFirst();
    assert.equal(result.type, 'result');
    assert.deepEqual(Object.keys(result.stems), [...stemTypes]);
    assert.equal(result.duration_ms, 4000);
    assert.equal(result.bit_depth, '16');
    assert.equal(result.backend, 'spectral');

    const percents = run.messages.flatMap((message) =>
      message.type === 'progress' ? [message.percent] : [],
    );
    assert.deepEqual(
      percents,
      [...percents].sort((a, b) => a - b),
    );
    assert.equal(percents.at(-1), 100);

    const mixture = samplesOf(song);
    const stems = stemTypes.map((stem) => samplesOf(result.stems[stem] as string));
    for (let at = 0; at < mixture.length; at += 2) {
      const sum = stems.reduce((total, stem) => total + stem.readInt16LE(at), 0);
      if (sum !== mixture.readInt16LE(at))
        assert.fail(`sample ${at / 2}: ${sum} for ${mixture.readInt16LE(at)}`);
    }
  });

  test(`${model} writes the same bytes for the same song`, async () => {
    const first = await separateFirst();
    const second = await separateFile({
      input_path: song,
      model,
      output_dir: join(folder, `${model}-second`),
    });
    for (const stem of stemTypes) {
      const [a, b] = [first, second].map(({ result }) => readFileSync(result.stems[stem] as string));
      assert.ok(a?.equals(b as Buffer), stem);
    }
  });
}

test('a preview ends where requested, also of a song that is too long as a whole', async () => {
  const song = writeSong('preview.wav', 3);
  const { result } = await separateFile({ input_path: song, max_seconds: 1, max_duration_seconds: 2 });
  assert.equal(result.duration_ms, 1000);
});

test('an error is one line with a message, exit code 1, and no file', async () => {
  const text = join(folder, 'text.wav');
  writeFileSync(text, 'not audio');
  const cases: [string, RegExp, string][] = [
    [JSON.stringify(request({})), /must be an existing file/, 'unreadable_audio'],
    [
      JSON.stringify(request({ input_path: text })),
      /must be WAV, AIFF, MP3, FLAC, Ogg or Opus/,
      'unreadable_audio',
    ],
    [
      JSON.stringify(request({ input_path: writeSong('long.wav', 2), max_duration_seconds: 1 })),
      /at most 1 s/,
      'too_long',
    ],
    ['{"model":', /does not parse/, 'invalid_request'],
    [JSON.stringify({ ...request({}), model: 'hybrid_9' }), /model/, 'invalid_request'],
  ];
  for (const [line, message, code] of cases) {
    const output = join(folder, `failed-${code}`);
    const run = startSeparator(line.replace(join(folder, 'stems'), output));
    assert.equal(await run.ended, 1);
    const errors = run.messages.filter((message) => message.type === 'error');
    assert.equal(errors.length, 1);
    assert.equal(run.messages.at(-1), errors[0]);
    assert.match(errors[0]?.message ?? '', message);
    assert.equal(errors[0]?.code, code);
    assert.deepEqual(filesIn(output), []);
  }
});

/**
 * Runs a separation and calls `end` after its first third. If that is too late, on a busy machine, tries again with a
 * song of twice the length.
 */
async function endDuringSeparation(
  name: string,
  end: (child: ChildProcessWithoutNullStreams) => void,
): Promise<{ song: string; output: string; run: SeparatorRun; code: number | null }> {
  const output = join(folder, name);
  for (let seconds = 12; ; seconds *= 2) {
    const song = writeSong(`${name}.wav`, seconds);
    const run = startSeparator(
      JSON.stringify(request({ input_path: song, output_dir: output })),
      (message, { child }) => {
        if (message.type === 'progress' && message.percent > 30) end(child);
      },
    );
    const code = await run.ended;
    const isTooLate = run.messages.some((message) => message.type === 'result');
    if (!isTooLate || seconds >= 96) return { song, output, run, code };
    rmSync(output, { recursive: true });
  }
}

const endings: [string, (child: ChildProcessWithoutNullStreams) => void, string][] = [
  ['SIGTERM', (child) => child.kill('SIGTERM'), 'terminated'],
  ['the end of its input', (child) => child.stdin.end(), 'orphaned'],
];
for (const [what, end, name] of endings) {
  test(`${what} during separation ends the process without a result and without a file`, async () => {
    const { output, run, code } = await endDuringSeparation(name, end);
    assert.notEqual(code, 0);
    assert.ok(run.messages.every((message) => message.type === 'progress'));
    assert.deepEqual(filesIn(output), []);
  });
}

test('a killed process leaves no file with a stem’s name, and the next one removes what it left', async () => {
  const { song, output } = await endDuringSeparation('killed', (child) => child.kill('SIGKILL'));
  assert.deepEqual(
    filesIn(output).filter((file) => file.endsWith('.wav')),
    [],
  );
  await separateFile({ input_path: song, output_dir: output, max_seconds: 1 });
  assert.deepEqual(filesIn(output).sort(), builtInStemTypes.map((stem) => `${stem}.wav`).sort());
});

test('a process that stays serves requests in turn with the bytes of a fresh one, and exits when its input ends', async () => {
  const songs = [3, 2, 1].map((seconds) => writeSong(`stays-${seconds}.wav`, seconds));
  const models = ['hybrid_4', 'hybrid_4', 'alt_4'] as const;
  const requests = songs.map((input_path, i) =>
    request({ input_path, model: models[i], output_dir: join(folder, `stays-${i}`), stays: true }),
  );
  const results: SeparatorResult[] = [];
  const run = startSeparator(JSON.stringify(requests[0]), (message, { child }) => {
    if (message.type !== 'result') return;
    results.push(message);
    const next = requests[results.length];
    if (next) child.stdin.write(`${JSON.stringify(next)}\n`);
    else child.stdin.end();
  });
  assert.equal(await run.ended, 0);
  assert.equal(results.length, 3);
  for (const [i, result] of results.entries()) {
    const output_dir = join(folder, `fresh-${i}`);
    const fresh = await separateFile({ input_path: songs[i], model: models[i], output_dir });
    for (const stem of builtInStemTypes)
      assert.ok(
        readFileSync(result.stems[stem] as string).equals(readFileSync(fresh.result.stems[stem] as string)),
        `${models[i]}: ${stem}`,
      );
  }
});

test('an error ends a process that stays', async () => {
  const run = startSeparator(JSON.stringify(request({ stays: true })));
  assert.equal(await run.ended, 1);
  assert.equal(run.messages.at(-1)?.type, 'error');
});
