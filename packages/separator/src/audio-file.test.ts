import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { opusSong, vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import { openAudioFile, stemSampleRate } from './audio-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'audio-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A float WAV whose audio channels are given by a formula of the time. */
function writeWav(
  name: string,
  sampleRate: number,
  seconds: number,
  sides: readonly ((t: number) => number)[],
): string {
  const frames = Math.round(sampleRate * seconds);
  const data = Buffer.alloc(frames * sides.length * 4);
  for (let i = 0; i < frames; i++) {
    for (const [c, side] of sides.entries())
      data.writeFloatLE(side(i / sampleRate), (i * sides.length + c) * 4);
  }
  const head = createWavHeader({ sampleRate, channels: sides.length, bitDepth: '32f' }, frames, false);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([head, data]));
  return path;
}

async function readAll(
  path: string,
  options: { maxSeconds?: number; maxDurationSeconds?: number } = {},
): Promise<{ left: number[]; right: number[]; expectedFrames: number | null }> {
  const audio = await openAudioFile(path, {
    maxSeconds: options.maxSeconds ?? null,
    maxDurationSeconds: options.maxDurationSeconds ?? 60,
  });
  const left: number[] = [];
  const right: number[] = [];
  for await (const block of audio.blocks) {
    left.push(...block.left);
    right.push(...block.right);
  }
  return { left, right, expectedFrames: audio.expectedFrames };
}

const sine = (hz: number, gain: number) => (t: number) => gain * Math.sin(2 * Math.PI * hz * t);

test('resamples audio of another rate to 44.1 kHz, in time and in tune', async () => {
  for (const rate of [22_050, 48_000, 96_000]) {
    const path = writeWav(`${rate}.wav`, rate, 1, [sine(1000, 0.5), sine(1500, 0.25)]);
    const { left, right, expectedFrames } = await readAll(path);
    assert.equal(expectedFrames, stemSampleRate);
    assert.ok(Math.abs(left.length - stemSampleRate) <= 1, `${rate}: ${left.length}`);
    // Away from the ends, where the audio begins and stops at once.
    for (let i = 2000; i < 42_000; i++) {
      const t = i / stemSampleRate;
      assert.ok(Math.abs((left[i] as number) - sine(1000, 0.5)(t)) < 1e-4, `${rate}: left ${i}`);
      assert.ok(Math.abs((right[i] as number) - sine(1500, 0.25)(t)) < 1e-4, `${rate}: right ${i}`);
    }
  }
});

test('mono audio has two equal channels', async () => {
  const { left, right } = await readAll(writeWav('mono.wav', 44_100, 0.1, [sine(440, 0.5)]));
  assert.equal(left.length, 4410);
  assert.deepEqual(left, right);
  assert.ok(Math.abs((left[100] as number) - sine(440, 0.5)(100 / 44_100)) < 1e-6);
});

test('six channels are mixed down: the front ones keep their sides, the centre is in both', async () => {
  const only = (channel: number): ((t: number) => number)[] =>
    Array.from({ length: 6 }, (_, c) => (c === channel ? () => 0.25 : () => 0));
  const levels: [number, number][] = [];
  for (let channel = 0; channel < 6; channel++) {
    const { left, right } = await readAll(writeWav(`six-${channel}.wav`, 44_100, 0.01, only(channel)));
    assert.equal(left.length, 441);
    levels.push([left[200] as number, right[200] as number]);
  }
  const [frontLeft, frontRight, centre] = levels as [[number, number], [number, number], [number, number]];
  assert.ok(frontLeft[0] > 0 && frontLeft[1] === 0);
  assert.ok(frontRight[1] > 0 && frontRight[0] === 0);
  assert.ok(centre[0] > 0 && centre[0] === centre[1]);
});

test('the length of an Ogg file is known before decoding, in frames of the stems', async () => {
  for (const [name, song, rate] of [
    ['vorbis.ogg', vorbisSong(), 44_100],
    ['opus.opus', opusSong(), 48_000],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, song);
    const { left, expectedFrames } = await readAll(path);
    assert.equal(expectedFrames, Math.round((20_000 / rate) * stemSampleRate));
    assert.ok(Math.abs(left.length - expectedFrames) <= 1, `${name}: ${left.length}`);
  }
});

test('a preview has exactly the requested length, also after resampling', async () => {
  const path = writeWav('cut.wav', 48_000, 1, [sine(440, 0.5), sine(440, 0.5)]);
  const { left, expectedFrames } = await readAll(path, { maxSeconds: 0.25, maxDurationSeconds: 0.5 });
  assert.equal(left.length, 11_025);
  assert.equal(expectedFrames, 11_025);
});

test('refuses audio that is too long', async () => {
  const path = writeWav('long.wav', 8000, 2, [sine(440, 0.5)]);
  await assert.rejects(readAll(path, { maxDurationSeconds: 1 }), { code: 'too_long' });
});
