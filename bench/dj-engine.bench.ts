import { createEffectSlot } from '@stem-studio/contract/decks/effect-slot';
import type { EffectType } from '@stem-studio/contract/decks/effects';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import { DjEngine } from '@stem-studio/renderer/dj-engine/dj-engine';
import { effectSetting } from '@stem-studio/renderer/effects/effect-setting';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import type { Bench, BenchRow } from './bench.ts';

const RATE_HZ = 44_100;
const SONG_SECONDS = 120;
const RENDERED_SECONDS = 20;
const STEMS = 4;
const BLOCK = 128;
const decks: readonly DeckId[] = ['a', 'b'];
/** Effects of each deck; the decks are cued, so that each is computed for master and headphones. */
const deckEffects: readonly EffectType[] = ['echo', 'reverb'];

/** Measures the processor load of the decks in one thread, as in the browser. */
export const bench: Bench = {
  name: 'dj-engine',
  about:
    'two decks of four stems each, their mixer and limiters, beside a bare loop that only adds the samples up',
  run: async ({ log }): Promise<BenchRow[]> => {
    const chunks = createStems();
    const bare = measureBare(chunks);
    const rows: BenchRow[] = [{ what: 'bare sum of eight stems', value: bare, unit: '×' }];
    for (const [what, rate, isKeyLocked, effects, bar] of [
      ['at the recorded tempo', 1, false, [], 2.5],
      ['varispeed', 1.03, false, [], 2.5],
      ['key lock', 1.03, true, [], 2.5],
      ['key lock, four effects', 1.03, true, deckEffects, 2.9],
    ] as const) {
      const { speed, slowMs } = measureDjEngine(chunks, rate, isKeyLocked, effects);
      rows.push({
        what: `two decks × four stems, ${what}`,
        value: speed,
        unit: '×',
        against: `bare sum ${bare.toFixed(0)} ×`,
        ratio: speed / bare,
        bar: `≥ ${bar} × (${Math.round(50 / bar)} % of a core for a deck)`,
      });
      rows.push({
        what: `9 of 10 blocks of 2.9 ms within, ${what}`,
        value: slowMs,
        unit: 'ms',
        bar: '≤ 2.9 ms',
      });
      log(what);
    }
    rows.push({ what: 'making a key lock for another rate', value: measureMaking(), unit: 'ms' });
    return rows;
  },
};

/** Returns the processor time of this thread in ms, which other processes do not affect. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns chunks of four stems of noise and tones, in the service's format. */
function createStems(): Int16Array<ArrayBuffer>[][] {
  let state = 1;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state / 0x4000_0000 - 1;
  };
  const count = Math.ceil((SONG_SECONDS * RATE_HZ) / CHUNK_FRAMES);
  return Array.from({ length: STEMS }, (_, stem) =>
    Array.from({ length: count }, (_, index) =>
      Int16Array.from({ length: 2 * CHUNK_FRAMES }, (_, n) => {
        const frame = index * CHUNK_FRAMES + (n >> 1);
        return 4_000 * Math.sin(frame * 0.02 * (stem + 1)) + 800 * noise();
      }),
    ),
  );
}

function measureDjEngine(
  chunks: readonly (readonly Int16Array<ArrayBuffer>[])[],
  rate: number,
  isKeyLocked: boolean,
  effects: readonly EffectType[],
): { speed: number; slowMs: number } {
  const engine = new DjEngine(RATE_HZ);
  for (const deck of decks) {
    engine.apply({
      type: 'load',
      deck,
      load: 1,
      sampleRateHz: RATE_HZ,
      frames: SONG_SECONDS * RATE_HZ,
      sources: chunks.map(() => ({ channels: 2 })),
      keepsPosition: false,
    });
    for (const [source, pieces] of chunks.entries()) {
      for (const [index, samples] of pieces.entries()) {
        engine.apply({ type: 'chunk', deck, load: 1, source, index, samples });
      }
    }
    engine.apply({ type: 'tempo', deck, rate, isKeyLocked, semitones: 0 });
    const strip = { gain: 1, low: 0.8, mid: 1, high: 1.2, filter: 0.3, volume: 1, isCued: true };
    engine.apply({ type: 'strip', deck, strip });
    for (const [slot, type] of effects.entries()) {
      const effect = effectSetting({ ...createEffectSlot(type), is_on: true });
      engine.apply({ type: 'effect', deck, slot, effect });
    }
    engine.apply({ type: 'play', deck, keepsPhase: false, id: 1 });
  }
  const out = Array.from({ length: 4 }, () => new Float32Array(BLOCK));
  const [left, right, headLeft, headRight] = out as [Float32Array, Float32Array, Float32Array, Float32Array];
  const render = (seconds: number) => {
    const blocks = Math.ceil((seconds * RATE_HZ) / BLOCK);
    const took = new Float64Array(blocks);
    const start = threadMs();
    for (let block = 0; block < blocks; block++) {
      const before = performance.now();
      engine.process(left, right, headLeft, headRight, BLOCK);
      took[block] = performance.now() - before;
    }
    const speed = (1000 * seconds) / (threadMs() - start);
    return { speed, slowMs: took.sort()[Math.floor(0.9 * blocks)] ?? 0 };
  };
  render(3);
  return render(RENDERED_SECONDS);
}

/** Measures only the summation of the same samples. */
function measureBare(chunks: readonly (readonly Int16Array[])[]): number {
  const left = new Float32Array(BLOCK);
  const right = new Float32Array(BLOCK);
  let sum = 0;
  const render = (seconds: number) => {
    const start = threadMs();
    for (let frame = 0; frame < seconds * RATE_HZ; frame += BLOCK) {
      left.fill(0);
      right.fill(0);
      for (let source = 0; source < decks.length * STEMS; source++) {
        const samples = chunks[source % STEMS]![(frame / CHUNK_FRAMES) | 0]!;
        const from = 2 * (frame % CHUNK_FRAMES);
        for (let n = 0; n < BLOCK; n++) {
          left[n]! += samples[from + 2 * n]! / 32_768;
          right[n]! += samples[from + 2 * n + 1]! / 32_768;
        }
      }
      sum += left[0]! + right[0]!;
    }
    return (1000 * seconds) / (threadMs() - start);
  };
  render(3);
  const speed = render(RENDERED_SECONDS);
  if (!Number.isFinite(sum)) throw new Error('the bare sum is not finite');
  return speed;
}

function measureMaking(): number {
  const start = threadMs();
  const lock = new KeyLock(RATE_HZ, { sourceRateHz: 48_000 });
  return lock.position + threadMs() - start;
}
