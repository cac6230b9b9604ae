import type { Cue } from '@stem-studio/contract/resources/cue';
import { pitchClasses } from '@stem-studio/contract/resources/track';
import { bpmText } from '../../base/format.ts';
import { keyText, pitchText } from '../../base/key-text.ts';
import { curveChart, tempoRange } from '../../canvas/curve-chart.ts';
import { heatMap } from '../../canvas/heat-map.ts';
import { spanChart } from '../../canvas/span-chart.ts';
import { spectrumChart } from '../../canvas/spectrum-chart.ts';
import type { TimeChart } from '../../canvas/time-chart.ts';
import { waveformChart } from '../../canvas/waveform-chart.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import {
  chordSpansOf,
  energyCurveOf,
  keySpansOf,
  type SongAnalysis,
  type SongSpan,
  tempoCurveOf,
  vocalCurveOf,
} from '../../state/song-analysis.ts';

const expertCharts: ReadonlySet<string> = new Set(['chroma', 'mfcc', 'spectrum']);

/** Whether a chart is for experts and folded away at first. */
export function isExpertChart(id: string): boolean {
  return expertCharts.has(id);
}

/** Returns the charts over time for which an analysis has data, from top to bottom. */
export function analysisCharts(
  analysis: SongAnalysis,
  peaks: DrawablePeaks | null,
  cues: readonly Cue[] = [],
): TimeChart[] {
  const tempos = tempoCurveOf(analysis);
  const { mfcc = [], chroma = [], frame_seconds: frameSeconds = 0 } = analysis.features ?? {};
  const key = analysis.key ?? '';
  const pitches = pitchClasses.map((pitch) => pitchText(pitch, key));
  const charts = [
    waveformChart(analysis, peaks, cues),
    curveChart(
      {
        id: 'vocals',
        title: 'Vocals',
        summary:
          analysis.vocal_presence === undefined
            ? ''
            : `Vocals in ${Math.round(analysis.vocal_presence * 100)} % of the song`,
        range: [0, 1],
        text: (part) => `${Math.round(part * 100)} % likely`,
        shortText: (part) => String(Math.round(part * 100)),
        colour: 'wave',
      },
      vocalCurveOf(analysis),
    ),
    spanChart({ id: 'chords', title: 'Chords', one: 'chord' }, spelledChords(analysis)),
    spanChart({ id: 'keys', title: 'Keys', one: 'key' }, spelled(keySpansOf(analysis), keyText)),
    curveChart(
      {
        id: 'tempo',
        title: 'Tempo',
        summary: `${bpmText(analysis.tempo ?? null)} BPM, ${analysis.tempo_stable === false ? 'variable' : 'steady'}`,
        range: tempoRange(tempos),
        text: (bpm) => `${bpm.toFixed(1)} BPM`,
        shortText: String,
        colour: 'chart',
      },
      tempos,
    ),
    curveChart(
      {
        id: 'energy',
        title: 'Energy',
        summary: analysis.energy === undefined ? '' : `${Math.round(analysis.energy * 100)} % overall`,
        range: [0, 1],
        text: (part) => `${Math.round(part * 100)} %`,
        shortText: (part) => String(Math.round(part * 100)),
        colour: 'chart',
      },
      energyCurveOf(analysis),
    ),
    heatMap(
      {
        id: 'chroma',
        title: 'Chroma',
        summary: 'Strength of each pitch class',
        rowNames: pitches,
        shortNames: pitches,
        rowPx: 14,
        frameSeconds,
        text: (value) => value.toFixed(2),
        scale: [0, 1],
      },
      chroma,
    ),
    heatMap(
      {
        id: 'mfcc',
        title: 'MFCC',
        summary: 'Timbre, each row scaled separately',
        rowNames: mfcc.map((_, i) => `MFCC ${i + 1}`),
        shortNames: mfcc.map((_, i) => String(i + 1)),
        rowPx: 12,
        frameSeconds,
        text: (value) => value.toFixed(1),
        scale: 'row',
      },
      mfcc,
    ),
    spectrumChart(analysis.features ?? {}),
  ];
  return charts.filter((chart) => chart !== null);
}

/** Returns the chords in order, spelled in the key of the song; a span without a chord has an empty label. */
export function spelledChords(analysis: SongAnalysis): SongSpan[] {
  return spelled(chordSpansOf(analysis), (chord) => pitchText(chord, analysis.key ?? ''));
}

/** Returns spans with their labels spelled for musicians. */
function spelled(spans: readonly SongSpan[], spell: (label: string) => string): SongSpan[] {
  return spans.map((span) => ({ ...span, label: spell(span.label) }));
}
