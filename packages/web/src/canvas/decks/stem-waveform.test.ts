import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeckStemPeaks } from '@stem-studio/audio/deck/deck-stem-peaks';
import { type StemType, stemTypes } from '@stem-studio/contract/resources/stem';
import { createPeaksBuilder } from '@stem-studio/dsp/signal/peaks';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { audibleStems, drawStemWaveform, type StemColors, type WaveformContext } from './stem-waveform.ts';

const SAMPLE_RATE = 44_100;
const colors = Object.fromEntries([...stemTypes, 'outline'].map((name) => [name, name])) as StemColors;
const state = (stem_type: StemType, changes = {}) => ({
  stem_type,
  volume: 1,
  is_muted: false,
  is_soloed: false,
  loop: null,
  ...changes,
});

/** Waveforms of mono stems of two chunks, each with a constant level from 0 to 1 in its first chunk. */
function waveformsOf(levels: Partial<Record<StemType, number>>): DeckStemPeaks {
  const entries = Object.entries(levels) as [StemType, number][];
  const waveforms = DeckStemPeaks.of({
    sampleRateHz: SAMPLE_RATE,
    frames: 2 * CHUNK_FRAMES,
    sources: entries.map(([type]) => ({ type, channels: 1, frames: 2 * CHUNK_FRAMES })),
  });
  assert.ok(waveforms);
  for (const [stem, [, level]] of entries.entries())
    waveforms.add(stem, 0, new Float32Array(CHUNK_FRAMES).fill(level));
  return waveforms;
}

/** Draws in a height of 100 and returns the rectangles in the order in which they were drawn. */
function drawn(
  waveforms: DeckStemPeaks,
  audible: number,
  {
    columns = 2,
    song = null,
  }: { columns?: number; song?: Parameters<typeof drawStemWaveform>[1]['song'] } = {},
) {
  const rects: { color: string; x: number; top: number; height: number; alpha: number }[] = [];
  const context: WaveformContext = {
    fillStyle: '',
    globalAlpha: 1,
    fillRect(x, top, _, height) {
      const color = typeof this.fillStyle === 'string' ? this.fillStyle : '';
      rects.push({ color, x, top, height: Math.round(height), alpha: this.globalAlpha });
    },
  };
  const perColumn = (2 * CHUNK_FRAMES) / 512 / columns;
  drawStemWaveform(
    context,
    { waveforms, audible, song },
    { first: 0, perColumn, columns },
    { heightPx: 100, gain: 1, colors },
  );
  return rects;
}

test('each stem is drawn in its color with its level, the loudest behind the others', () => {
  const rects = drawn(waveformsOf({ vocals: 0.25, drums: 1, bass: 0.5 }), 0b111);
  assert.deepEqual(
    rects.map(({ color, x, height }) => [color, x, height]),
    [
      ['drums', 0, 96],
      ['bass', 0, 48],
      ['vocals', 0, 24],
    ],
  );
  for (const { top, height } of rects) assert.ok(Math.abs(top + height / 2 - 50) < 1);
});

test('stems of the same level are all drawn', () => {
  const rects = drawn(waveformsOf({ vocals: 0.5, drums: 0.5 }), 0b11);
  assert.deepEqual(rects.map(({ color }) => color).toSorted(), ['drums', 'vocals']);
});

test('muted stems are not drawn', () => {
  const rects = drawn(waveformsOf({ vocals: 0.5, drums: 1 }), 0b01);
  assert.deepEqual(
    rects.map(({ color }) => color),
    ['vocals'],
  );
});

test('parts whose stems are not loaded show the outline of the song', () => {
  const builder = createPeaksBuilder({ sampleRate: SAMPLE_RATE });
  builder.push([Float32Array.from({ length: 2 * CHUNK_FRAMES }, (_, i) => (i % 2 === 0 ? 0.5 : -0.5))]);
  const rects = drawn(waveformsOf({ vocals: 0.25 }), 0b1, { columns: 8, song: builder.finish() });
  assert.deepEqual(
    rects.filter(({ color }) => color === 'vocals').map(({ x }) => x),
    [0, 1, 2, 3],
  );
  const outline = rects.filter(({ color }) => color === 'outline');
  assert.deepEqual(
    outline.map(({ x }) => x),
    [4, 5, 6, 7],
  );
  for (const { height, alpha } of outline) {
    assert.ok(height >= 49 && height <= 51, String(height));
    assert.ok(alpha < 1);
  }
});

test('stems are audible unless they are muted, turned down, or another one is soloed', () => {
  const waveforms = waveformsOf({ vocals: 1, drums: 1, bass: 1 });
  const audible = (...changes: [object, object, object]) =>
    audibleStems(waveforms, [
      // The session may list them in another order.
      state('bass', changes[2]),
      state('drums', changes[1]),
      state('vocals', changes[0]),
    ]);
  assert.equal(audible({}, {}, {}), 0b111);
  assert.equal(audible({ is_muted: true }, {}, {}), 0b110);
  assert.equal(audible({}, { volume: 0 }, {}), 0b101);
  assert.equal(audible({}, {}, { is_soloed: true }), 0b100);
  assert.equal(audible({}, {}, { is_soloed: true, is_muted: true }), 0);
});

test('a song without stems has no waveforms of stems', () => {
  const source = { type: 'song', channels: 2, frames: 10 } as const;
  assert.equal(DeckStemPeaks.of({ sampleRateHz: SAMPLE_RATE, frames: 10, sources: [source] }), null);
});
