import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import * as fc from 'fast-check';
import { LIMITER_CEILING } from '../gain/safety-limiter.ts';
import { DjEngineRig, restingStrip, type TestSong } from '../testing/dj-engine-rig.ts';
import type { DjEngineCommand } from './dj-engine-messages.ts';

const RATE_HZ = 44_100;
const FRAMES = 150_000;
const song: TestSong = {
  frames: FRAMES,
  sources: [
    (n) => 0.4 * Math.sin(n * 0.05) + 0.1 * Math.sin(n * 0.9),
    (n) => ((n * 7_919) % 1_000) / 2_500 - 0.2,
    (n) => (n % 11_025 < 400 ? 0.5 : 0),
    (n) => 0.2 * Math.sin(n * 0.011),
  ],
  beats: Array.from({ length: 13 }, (_, beat) => (beat * 11_025) / RATE_HZ + 0.02),
};

const deck = fc.constantFrom<DeckId>('a', 'b');
const frame = fc.oneof(
  fc.integer({ min: -500, max: FRAMES + 500 }),
  fc.double({ min: 0, max: FRAMES, noNaN: true }),
);
const loop = fc.oneof(
  fc.constant(null),
  fc
    .record({ startFrame: frame, length: fc.double({ min: -100, max: 30_000, noNaN: true }) })
    .map(({ startFrame, length }) => ({ startFrame, endFrame: startFrame + length })),
);
const id = fc.constant(1);
const gain = fc.double({ min: 0, max: 4, noNaN: true });
const knob = fc.double({ min: -1, max: 1, noNaN: true });
const command: fc.Arbitrary<DjEngineCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('play' as const), deck, keepsPhase: fc.boolean(), id }),
  },
  fc.record({ type: fc.constant('pause' as const), deck, id }),
  fc.record({ type: fc.constant('seek' as const), deck, frame, keepsPhase: fc.boolean(), id }),
  fc.record({ type: fc.constant('loop' as const), deck, loop, id }),
  fc.record({
    type: fc.constant('source-loop' as const),
    deck,
    source: fc.integer({ min: 0, max: 5 }),
    loop,
  }),
  fc.record({ type: fc.constant('slip' as const), deck, isOn: fc.boolean(), id }),
  fc.record({
    type: fc.constant('tempo' as const),
    deck,
    rate: fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 2, noNaN: true })),
    isKeyLocked: fc.boolean(),
    semitones: fc.integer({ min: -12, max: 12 }),
  }),
  fc.record({
    type: fc.constant('scratch' as const),
    deck,
    rate: fc.oneof(fc.constant(null), fc.double({ min: -5, max: 5, noNaN: true })),
  }),
  fc.record({ type: fc.constant('bend' as const), deck, factor: fc.constantFrom(1, 0.96, 1.05) }),
  fc.record({
    type: fc.constant('sync' as const),
    leader: fc.constantFrom<DeckId | null>('a', 'b', null),
    keepsPhase: fc.boolean(),
  }),
  fc.record({ type: fc.constant('source-gains' as const), deck, gains: fc.array(gain, { maxLength: 5 }) }),
  fc.record({
    type: fc.constant('strip' as const),
    deck,
    strip: fc.record({
      gain,
      low: gain,
      mid: gain,
      high: gain,
      filter: knob,
      volume: gain,
      isCued: fc.boolean(),
    }),
  }),
  fc.record({
    type: fc.constant('metronome' as const),
    isOn: fc.boolean(),
    volume: gain,
    output: fc.constantFrom('master' as const, 'headphones' as const),
    leader: fc.constantFrom<DeckId | null>('a', 'b', null),
  }),
  fc.record({
    type: fc.constant('load' as const),
    deck,
    load: fc.integer({ min: 1, max: 3 }),
    sampleRateHz: fc.constantFrom(44_100, 48_000),
    frames: fc.integer({ min: 0, max: FRAMES }),
    sources: fc.constantFrom([{ channels: 1 }], [{ channels: 2 }, { channels: 1 }], []),
    keepsPosition: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('drop' as const),
    deck,
    load: fc.constantFrom(1, 2),
    source: fc.constant(0),
    index: fc.constant(1),
  }),
);

function finite(samples: Float32Array): boolean {
  return samples.every((sample) => Math.abs(sample) <= LIMITER_CEILING + 1e-6);
}

test('keeps output, positions and transport valid after any commands', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(command, fc.integer({ min: 1, max: 40 })), { maxLength: 40 }), (acts) => {
      const rig = new DjEngineRig();
      rig.load('a', song);
      rig.load('b', song);
      for (const [act, blocks] of acts) {
        rig.kernel.apply(act);
        const { master, headphones } = rig.render(blocks * 128);
        assert.ok(finite(master) && finite(headphones), `after ${act.type}`);
        for (const { frame: at, slipFrame } of Object.values(rig.report.decks)) {
          assert.ok(at >= -1e-6 && at <= FRAMES + 1e-6, `at ${at} after ${act.type}`);
          if (slipFrame !== null) assert.ok(slipFrame >= 0 && slipFrame <= FRAMES, `slips at ${slipFrame}`);
        }
      }
      // After any commands a deck that is loaded, released and started plays.
      for (const id_ of ['a', 'b'] as const) {
        rig.kernel.apply({ type: 'scratch', deck: id_, rate: null });
        rig.kernel.apply({ type: 'sync', leader: null, keepsPhase: false });
        rig.load(id_, song);
        rig.strip(id_, restingStrip);
        rig.tempo(id_, 1);
        rig.play(id_);
        rig.render(25_600);
        const report = rig.report.decks[id_];
        assert.equal(report.transport, 'playing');
        assert.ok(report.frame > 20_000, `${id_} stands at ${report.frame}`);
      }
    }),
    { numRuns: 25 },
  );
});

test('keeps the stems in sync after a hundred random commands: their sum is the song to 1e-6', () => {
  const whole: TestSong = {
    ...song,
    sources: [(n) => song.sources.reduce((sum, source) => sum + Math.fround(source(n)), 0)],
  };
  const transport = new Set(['play', 'pause', 'seek', 'loop', 'slip', 'tempo', 'scratch', 'bend']);
  const act = command.filter(({ type }) => transport.has(type));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(act, fc.integer({ min: 1, max: 30 })), { minLength: 100, maxLength: 100 }),
      (acts) => {
        const rigs = [new DjEngineRig(), new DjEngineRig()];
        rigs[0]!.load('a', song);
        rigs[1]!.load('a', whole);
        let most = 0;
        for (const [each, blocks] of acts) {
          // Two key locks may choose differently between partials that are alike to the last bit.
          const command = each.type === 'tempo' ? { ...each, isKeyLocked: false, semitones: 0 } : each;
          const [stems, one] = rigs.map((rig) => {
            rig.kernel.apply({ ...command, ...('deck' in command && { deck: 'a' as const }) });
            return rig.render(blocks * 128).master;
          });
          for (let n = 0; n < stems!.length; n++) most = Math.max(most, Math.abs(stems![n]! - one![n]!));
        }
        assert.ok(most <= 1e-6, `${most} apart`);
        assert.equal(rigs[0]!.frameOf('a'), rigs[1]!.frameOf('a'));
      },
    ),
    { numRuns: 3 },
  );
});
