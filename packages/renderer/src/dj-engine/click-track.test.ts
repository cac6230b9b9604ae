import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';
import type { DjEngineCommand } from './dj-engine-messages.ts';

const FRAMES = 120_000;
const PERIOD = 200;
const LEVEL = 0.4;
const EDGE = 4_000;
/** Largest second difference of the tone at the recorded tempo. */
const OWN = LEVEL * ((2 * Math.PI) / PERIOD) ** 2;

/** A tone whose ends are no corners themselves. */
const song: TestSong = {
  frames: FRAMES,
  sources: [
    (n) => {
      const edge = Math.min(1, n / EDGE, (FRAMES - n) / EDGE);
      return n > FRAMES
        ? 0
        : LEVEL * Math.sin((2 * Math.PI * n) / PERIOD) * Math.sin((Math.PI / 2) * edge) ** 2;
    },
  ],
  beats: Array.from({ length: 10 }, (_, beat) => 0.02 + beat * 0.25),
};

const deck = fc.constant('a' as const);
const id = fc.constant(1);
const frame = fc.double({ min: 0, max: FRAMES, noNaN: true });
const loop = fc.oneof(
  fc.constant(null),
  fc
    .record({ startFrame: frame, length: fc.double({ min: 64, max: 20_000, noNaN: true }) })
    .map(({ startFrame, length }) => ({ startFrame, endFrame: startFrame + length })),
);
const command: fc.Arbitrary<DjEngineCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('play' as const), deck, keepsPhase: fc.boolean(), id }),
  },
  fc.record({ type: fc.constant('pause' as const), deck, id }),
  fc.record({ type: fc.constant('seek' as const), deck, frame, keepsPhase: fc.boolean(), id }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('loop' as const), deck, loop, id }) },
  fc.record({ type: fc.constant('source-loop' as const), deck, source: fc.constant(0), loop }),
  fc.record({ type: fc.constant('slip' as const), deck, isOn: fc.boolean(), id }),
  fc.record({
    type: fc.constant('tempo' as const),
    deck,
    rate: fc.oneof(fc.constant(1), fc.double({ min: 0.8, max: 1.2, noNaN: true })),
    isKeyLocked: fc.boolean(),
    semitones: fc.constant(0),
  }),
  fc.record({
    type: fc.constant('scratch' as const),
    deck,
    rate: fc.oneof(fc.constant(null), fc.double({ min: -2, max: 2, noNaN: true })),
  }),
  fc.record({ type: fc.constant('bend' as const), deck, factor: fc.constantFrom(1, 0.96, 1.05) }),
  fc.record({
    type: fc.constant('source-gains' as const),
    deck,
    gains: fc.constantFrom([0], [0.5], [0.9], [1]),
  }),
);

test('no sequence of commands makes a tone click', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(command, fc.integer({ min: 1, max: 30 })), { minLength: 10, maxLength: 60 }),
      (acts) => {
        const rig = new DjEngineRig();
        rig.load('a', song);
        let [last, before] = [0, 0];
        for (const [act, blocks] of acts) {
          rig.kernel.apply(act);
          for (const sample of rig.render(blocks * 128).master) {
            const corner = Math.abs(sample - 2 * last + before);
            // Scratching plays the tone an octave up, which is four times as sharp; a click is a thousand times.
            assert.ok(corner < 12 * OWN, `${corner / OWN} of the tone's own after ${JSON.stringify(act)}`);
            [last, before] = [sample, last];
          }
        }
      },
    ),
    { numRuns: 40, seed: 77 },
  );
});
