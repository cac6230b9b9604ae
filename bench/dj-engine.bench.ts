import { createEffectSlot } from '@stem-studio/contract/decks/effect-slot';
import type { EffectType } from '@stem-studio/contract/decks/effects';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import { DjEngine } from '@stem-studio/renderer/dj-engine/dj-engine';
import type { DjEngineCommand } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { effectSetting } from '@stem-studio/renderer/effects/effect-setting';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import type { Bench, BenchRow } from './bench.ts';

const RATE_HZ = 44_100;
const SONG_SECONDS = 120;
const RENDERED_SECONDS = 20;
const STEMS = 4;
const BLOCK = 128;
const decks: readonly DeckId[] = ['a', 'b'];
/** Two effects on each deck; the decks are cued, so that each is computed for master and headphones. */
const fourEffects: readonly DjEngineCommand[] = decks.flatMap((deck) =>
  (['echo', 'reverb'] as const satisfies readonly EffectType[]).map((type, slot) => ({
    type: 'effect' as const,
    deck,
    slot,
    effect: effectSetting({ ...createEffectSlot(type), is_on: true }),
  })),
);

/** Four beats of a tone for a pad. */
const padSample = Float32Array.from({ length: 2 * RATE_HZ }, (_, n) => 0.2 * Math.sin(n * 0.07));

/** Two looping pads under key lock, as many as have one, and a microphone that turns the music down. */
const samplerAndMicrophone: readonly DjEngineCommand[] = [
  { type: 'metronome', isOn: false, volume: 0, output: 'master', leader: 'a' },
  ...[0, 1].flatMap((pad): DjEngineCommand[] => [
    {
      type: 'sampler',
      command: { type: 'sample', pad, sample: { left: padSample, right: padSample, beats: 4 } },
    },
    {
      type: 'sampler',
      command: {
        type: 'pad',
        pad,
        setting: { mode: 'loop', quantize: 'off', tempo: 'key-lock', gain: 1, chokeGroup: 0 },
      },
    },
    { type: 'sampler', command: { type: 'press', pad, velocity: 1 } },
  ]),
  {
    type: 'microphone',
    setting: {
      isOn: true,
      gain: 1,
      hasLowCut: true,
      isTalkOver: true,
      thresholdDb: -40,
      depthDb: -12,
      attackMs: 60,
      releaseMs: 800,
      isRecorded: true,
    },
  },
];

/** What is measured: a tempo, and commands beside those of the decks. */
const loads: readonly {
  what: string;
  rate: number;
  isKeyLocked: boolean;
  extras: readonly DjEngineCommand[];
}[] = [
  { what: 'at the recorded tempo', rate: 1, isKeyLocked: false, extras: [] },
  { what: 'varispeed', rate: 1.03, isKeyLocked: false, extras: [] },
  { what: 'key lock', rate: 1.03, isKeyLocked: true, extras: [] },
  { what: 'key lock, four effects', rate: 1.03, isKeyLocked: true, extras: fourEffects },
  {
    what: 'key lock, with two pads under key lock and a microphone',
    rate: 1.03,
    isKeyLocked: true,
    extras: samplerAndMicrophone,
  },
];

/** Measures the processor load of the decks in one thread, as in the browser. */
export const bench: Bench = {
  name: 'dj-engine',
  about:
    'two decks of four stems each, their mixer and limiters, with sampler and microphone, beside a bare loop that only adds the samples up',
  run: async ({ log }): Promise<BenchRow[]> => {
    const chunks = createStems();
    const bare = measureBare(chunks);
    const rows: BenchRow[] = [{ what: 'bare sum of eight stems', value: bare, unit: '×' }];
    for (const { what, rate, isKeyLocked, extras } of loads) {
      const { speed, slowMs } = measureDjEngine(chunks, rate, isKeyLocked, extras);
      rows.push({
        what: `two decks × four stems, ${what}`,
        value: speed,
        unit: '×',
        against: `bare sum ${bare.toFixed(0)} ×`,
        ratio: speed / bare,
        bar: '≥ 2.5 × (20 % of a core for a deck)',
      });
      rows.push({
        what: `9 of 10 blocks of 2.9 ms within, ${what}`,
        value: slowMs,
        unit: 'ms',
        bar: '≤ 2.9 ms',
      });
      rows.push({ what: `share of a core, ${what}`, value: 100 / speed, unit: '%', bar: '≤ 35 %' });
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
  extras: readonly DjEngineCommand[],
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
    const beats = Float64Array.from({ length: 2 * SONG_SECONDS }, (_, beat) => beat / 2);
    engine.apply({ type: 'grid', deck, beats, downbeats: beats.filter((_, beat) => beat % 4 === 0) });
    engine.apply({ type: 'tempo', deck, rate, isKeyLocked, semitones: 0 });
    const strip = { gain: 1, low: 0.8, mid: 1, high: 1.2, filter: 0.3, volume: 1, isCued: true };
    engine.apply({ type: 'strip', deck, strip });
    engine.apply({ type: 'play', deck, keepsPhase: false, id: 1 });
  }
  for (const command of extras) engine.apply(command);
  const voice = Float32Array.from({ length: BLOCK }, (_, n) => 0.2 * Math.sin(n * 0.3));
  const out = Array.from({ length: 4 }, () => new Float32Array(BLOCK));
  const [left, right, headLeft, headRight] = out as [Float32Array, Float32Array, Float32Array, Float32Array];
  const render = (seconds: number) => {
    const blocks = Math.ceil((seconds * RATE_HZ) / BLOCK);
    const took = new Float64Array(blocks);
    const start = threadMs();
    for (let block = 0; block < blocks; block++) {
      const before = performance.now();
      engine.process(left, right, headLeft, headRight, BLOCK, voice);
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
