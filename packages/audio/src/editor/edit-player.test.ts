import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import { EditMixer } from '@stem-studio/renderer/editor/edit-mixer';
import type { EditMixerReport } from '@stem-studio/renderer/editor/edit-mixer-messages';
import { Scope } from '../base/scope.ts';
import { settle, wavOf } from '../testing/stem-player-rig.ts';
import { EditPlayer, type EditPlayerOptions } from './edit-player.ts';

const RATE_HZ = 44_100;
const seconds = 8;
const values = { vocals: 8192, drums: 4096 } as const;
const stems = ['vocals', 'drums'] as const;
const project = createProjectState(stems.map((stem_type) => ({ stem_type, duration_ms: seconds * 1000 })));

/** A player with two constant stems, whose mixer runs in this thread. */
function openPlayer(serve: (from: number) => void = () => {}) {
  const mixer = new EditMixer(RATE_HZ);
  const files = new Map(stems.map((stem) => [`/${stem}`, wavOf(seconds * RATE_HZ, values[stem])]));
  let listen: (report: EditMixerReport) => void = () => {};
  let rendered = 0;
  const options: EditPlayerOptions = {
    fetchRange: async (address, from, to) => {
      serve(from);
      const bytes = files.get(address);
      if (!bytes) throw new Error(`no file ${address}`);
      return { bytes: bytes.slice(from, to), totalBytes: bytes.length };
    },
    createEngine: async () => ({
      post: (command) => mixer.apply(command),
      onReport: (listener) => {
        listen = listener;
      },
      nowSeconds: () => rendered / RATE_HZ,
      wake: () => {},
      dispose: () => {},
    }),
  };
  const scope = new Scope();
  const player = EditPlayer.open(
    scope,
    stems.map((source) => ({ source, url: `/${source}` })),
    options,
  );
  /** Renders and reports as the worklet does; returns the last sample of the left channel. */
  const pump = (frames: number): number => {
    const left = new Float32Array(128);
    for (let at = 0; at < frames; at += 128) mixer.process(left, new Float32Array(128), 128);
    rendered += Math.ceil(frames / 128) * 128;
    const { transport, frame, commandId, outputPeak } = mixer;
    listen({
      transport,
      frame,
      commandId,
      timeSeconds: rendered / RATE_HZ,
      lanePeaks: mixer.takeLanePeaks(),
      reductionsDb: mixer.reductionsDb(),
      loudness: mixer.loudness(),
      outputPeak,
    });
    mixer.outputPeak = 0;
    return left[127] ?? 0;
  };
  return { player, pump, scope };
}

test('plays the lanes of a project, follows edits and faders, and reports levels and position', async () => {
  const { player, pump, scope } = openPlayer();
  assert.equal(player.state, 'loading');
  player.setState(project);
  await settle();
  assert.equal(player.state, 'paused');
  player.play();
  const both = pump(RATE_HZ);
  assert.ok(Math.abs(both - 0.375) < 1e-6, `${both}`);
  assert.equal(player.state, 'playing');
  assert.ok(Math.abs(player.positionMs() - 1000) < 5, `${player.positionMs()} ms`);
  const { lanes, master } = player.levels();
  assert.deepEqual(
    [...lanes],
    [
      ['vocals', 0.25],
      ['drums', 0.125],
    ],
  );
  assert.equal(master, 0.375);
  player.setStrip('vocals', { volume: 50, pan: 0 });
  assert.ok(Math.abs(pump(1024) - 0.25) < 1e-6, 'a fader that is dragged');
  const cut = {
    id: 'x',
    operation: 'cut',
    params: { start_ms: 0, end_ms: 5000, stem_type: 'vocals' },
  } as const;
  player.setState(applyEdit(project, { ...cut, params: { ...cut.params } }));
  assert.ok(Math.abs(pump(1024) - 0.125) < 1e-6, 'after the cut only the drums play');
  player.seek(6000);
  assert.ok(Math.abs(pump(1024) - 0.375) < 1e-6, 'after the end of the cut');
  player.pause();
  assert.equal(player.state, 'paused');
  assert.equal(pump(1024), 0);
  assert.ok((player.peaks('vocals')?.max[10] ?? 0) > 0, 'waveform of the vocals');
  scope.dispose();
});

test('loops, scrubs, and ends after the last clip', async () => {
  const { player, pump } = openPlayer();
  player.setState(project);
  await settle();
  player.setLoop({ startMs: 1000, endMs: 1500 });
  player.seek(1000);
  player.play();
  pump(RATE_HZ);
  assert.ok(player.positionMs() >= 1000 && player.positionMs() <= 1500, `${player.positionMs()} ms`);
  player.setLoop(null);
  player.seek(7900);
  pump(RATE_HZ);
  assert.equal(player.state, 'paused');
  player.scrub(2000);
  assert.ok(pump(2048) > 0.3, 'scrubbing sounds');
  player.scrub(null);
  pump(1024);
  assert.equal(pump(1024), 0);
  assert.ok(Math.abs(player.positionMs() - 2000) < 1, `${player.positionMs()} ms`);
});

test('a stem that cannot be read fails with its message, and a listener is called', async () => {
  let calls = 0;
  const { player } = openPlayer((from) => {
    if (from > 0) throw new RangeError('a stem must hold frame 5: it changed while it played');
  });
  player.subscribe(() => calls++);
  player.setState(project);
  await settle();
  assert.equal(player.state, 'failed');
  assert.match(player.error ?? '', /changed while it played/);
  assert.ok(calls > 0);
});
