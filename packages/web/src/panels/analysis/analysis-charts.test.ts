import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandHeight } from '../../canvas/contrast-bands.ts';
import { rampBetween } from '../../canvas/palette.ts';
import { stepFrom } from '../../canvas/time-chart.ts';
import type { SongAnalysis } from '../../state/song-analysis.ts';
import { analysisCharts } from './analysis-charts.ts';
import { loudnessFigures, spectralFigures } from './figures.ts';

const seconds = 8;
const chroma = Array.from({ length: 12 }, (_, pitch) =>
  Array.from({ length: seconds }, (_value, at) => (pitch === at ? 1 : 0.1)),
);
const whole: SongAnalysis = {
  tempo: 120,
  tempo_stable: true,
  beats: Array.from({ length: 16 }, (_, i) => i / 2),
  downbeats: [0, 2, 4, 6],
  energy: 0.5,
  sections: [
    { start: 0, end: 4, label: 'Verse' },
    { start: 4, end: 8, label: 'Chorus' },
  ],
  chords: [{ start: 0, end: 8, label: 'Am' }],
  vocal_presence: 0.5,
  vocal_curve: [0, 0, 0, 0.2, 0.8, 1, 1, 0.9],
  energy_curve: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
  features: {
    chroma,
    mfcc: Array.from({ length: 13 }, (_, row) => [row, row + 1]),
    spectral_contrast: Array.from({ length: 7 }, (_, band) => [5 * band, 20]),
    spectral_centroid: [1200, 1800],
    spectral_rolloff: [3400, 5200],
    spectral_bandwidth: [900, 950],
    zero_crossing_rate: [0.04, 0.051],
    frame_seconds: 1,
  },
};
const chartOf = (id: string) => analysisCharts(whole, null).find((chart) => chart.id === id);

test('creates only charts for which the analysis has data', () => {
  assert.deepEqual(
    analysisCharts(whole, null).map(({ id }) => id),
    ['waveform', 'vocals', 'chords', 'tempo', 'energy', 'chroma', 'mfcc', 'spectrum'],
  );
  assert.deepEqual(analysisCharts({ features: {} }, null), []);
  assert.deepEqual(
    analysisCharts({ features: { chroma, frame_seconds: 1 } }, null).map(({ id }) => id),
    ['chroma'],
  );
});

test('reads the values of every chart at a position', () => {
  assert.equal(chartOf('waveform')?.read(4.6, null), 'bar 3, beat 2 · Chorus');
  assert.equal(chartOf('chords')?.read(1, null), 'Am, 0:00 to 0:08');
  assert.equal(chartOf('tempo')?.read(3, null), '120.0 BPM');
  assert.equal(chartOf('energy')?.read(2.5, null), '20 %');
  assert.equal(chartOf('vocals')?.read(4.5, null), '80 % likely');
  assert.equal(chartOf('vocals')?.summary, 'Vocals in 50 % of the song');
  assert.deepEqual(chartOf('vocals')?.table().rows[3], ['0:03 (3.5 s)', '20 % likely']);
});

test('reads a heat map at the row under the pointer, or at the row with the highest value', () => {
  assert.equal(chartOf('chroma')?.read(3.5, null), 'E♭ 1.00');
  assert.equal(chartOf('chroma')?.read(3.5, 11), 'C 0.10', 'the lowest row is C');
  assert.equal(chartOf('chroma')?.read(99, 0), 'B 0.10', 'after the end its last column is read');
});

test('reads the spectrum with its lines, and lists undrawn values in its table', () => {
  assert.equal(chartOf('spectrum')?.read(0.5, 6), '0–200 Hz 0.0 dB · centroid 1,200, rolloff 3,400 Hz');
  assert.equal(
    chartOf('spectrum')?.read(0.5, null),
    '6.4k–11k Hz 30.0 dB · centroid 1,200, rolloff 3,400 Hz',
  );
  assert.equal(chartOf('spectrum')?.read(99, 0), '6.4k–11k Hz 20.0 dB · centroid 1,800, rolloff 5,200 Hz');
  const { columns = [], rows = [] } = chartOf('spectrum')?.table() ?? {};
  assert.deepEqual(columns.slice(-4), ['Centroid', 'Rolloff', 'Bandwidth', 'Zero crossings']);
  assert.deepEqual(rows[1]?.slice(-4), ['1,800 Hz', '5,200 Hz', '950 Hz', '5.1 %']);
});

test('shows only the bands for an analysis without spectral lines', () => {
  const { spectral_contrast, frame_seconds } = whole.features ?? {};
  const [chart] = analysisCharts({ features: { spectral_contrast, frame_seconds } }, null);
  assert.equal(chart?.read(0, 6), '0–200 Hz 0.0 dB');
  assert.equal(chart?.table().columns.length, 8);
});

test('maps a frequency to its band, higher frequencies further up', () => {
  const bandOf = (hz: number) => bandHeight(hz) * 7;
  assert.deepEqual([0, 100, 200, 400, 6400].map(bandOf), [0, 0.5, 1, 2, 6]);
  assert.ok(bandOf(11_025) > 6.5 && bandOf(11_025) < 7);
  assert.equal(bandHeight(50_000), 1);
});

test('gives every chart a table with as many columns as headings', () => {
  for (const chart of analysisCharts(whole, null)) {
    const { columns, rows } = chart.table();
    assert.ok(rows.length > 0, chart.id);
    for (const row of rows) assert.equal(row.length, columns.length, chart.id);
  }
});

test('limits the rows of the table of a long track to means over time', () => {
  const long = Array.from({ length: 12 }, () => Array.from({ length: 4800 }, (_, i) => (i % 2) * 0.5));
  const [chart] = analysisCharts({ features: { chroma: long, frame_seconds: 0.1 } }, null);
  const rows = chart?.table().rows ?? [];
  assert.ok(rows.length <= 48, `${rows.length} rows`);
  assert.equal(rows[0]?.[1], '0.25');
});

test('moves from stop to stop or by seconds with the arrow keys, within the track', () => {
  assert.equal(stepFrom([0, 2, 4], 2, 1, 8), 4);
  assert.equal(stepFrom([0, 2, 4], 2, -1, 8), 0);
  assert.equal(stepFrom([0, 2, 4], 4, 1, 8), 4);
  assert.equal(stepFrom([], 2.4, 1, 8), 3);
  assert.equal(stepFrom([], 0, -1, 8), 0);
  assert.equal(stepFrom([], 8, 1, 8), 8);
});

test('lists known figures only, each within its range', () => {
  assert.deepEqual(loudnessFigures({}), []);
  const loud = loudnessFigures({
    loudness_lufs: -18,
    true_peak_db: 9,
    valence: 0.4,
    valence_confidence: 0.25,
  });
  assert.deepEqual(
    loud.map(({ name, text, part }) => ({ name, text, part })),
    [
      { name: 'Loudness', text: '-18.0 LUFS', part: 0.5 },
      { name: 'True peak', text: '9.0 dBTP', part: 1 },
      { name: 'Valence', text: '40 %', part: 0.4 },
    ],
  );
  assert.match(loud[2]?.description ?? '', /25 % confidence/);
  const spectrum = spectralFigures({ spectral_centroid: 0, spectral_contrast: [10, 20, 30, 40, 50, 60, 70] });
  assert.equal(spectrum[0]?.part, 0);
  assert.equal(spectrum[1]?.name, 'Contrast 0–200');
  assert.equal(spectrum[7]?.name, 'Contrast 6.4k–11k');
});

test('begins and ends a colour ramp with its first and last colour', () => {
  const ramp = rampBetween([
    [0, 0, 0],
    [10, 20, 30],
    [255, 255, 255],
  ]);
  assert.deepEqual(Array.from(ramp.slice(0, 3)), [0, 0, 0]);
  assert.deepEqual(Array.from(ramp.slice(-3)), [255, 255, 255]);
});
