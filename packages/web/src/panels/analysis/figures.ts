import { contrastBands } from '../../canvas/contrast-bands.ts';
import type { NumberField, SongAnalysis } from '../../state/song-analysis.ts';

/** A number of the analysis with its position in its range. */
export interface Figure {
  name: string;
  text: string;
  /** Position in the range, 0 to 1. */
  part: number;
  /** Meaning of the number, and the ends of its range. */
  description: string;
}

const sure = (confidence: number | undefined) =>
  confidence === undefined ? '' : ` ${Math.round(confidence * 100)} % sure.`;
const percent = (value: number) => `${Math.round(value * 100)} %`;
const hertz = (value: number) => `${Math.round(value).toLocaleString('en')} Hz`;
const between = (value: number, low: number, high: number) =>
  Math.min(1, Math.max(0, (value - low) / (high - low)));
/** Frequencies are perceived logarithmically. */
const octavesBetween = (value: number, low: number, high: number) =>
  value > 0 ? between(Math.log2(value), Math.log2(low), Math.log2(high)) : 0;

interface NumberFigure {
  readonly group: 'character' | 'spectrum';
  readonly figureOf: (value: number, analysis: SongAnalysis) => Figure;
}

/**
 * Presentation of each number of an analysis, in display order; null for one that is shown elsewhere. A new number of
 * the analysis is a type error until it is listed here.
 */
const numberFigures: Readonly<Record<NumberField, NumberFigure | null>> = {
  loudness_lufs: {
    group: 'character',
    figureOf: (value) => ({
      name: 'Loudness',
      text: `${value.toFixed(1)} LUFS`,
      part: between(value, -36, 0),
      description: 'Integrated loudness after EBU R 128. From −36 to 0 LUFS.',
    }),
  },
  true_peak_db: {
    group: 'character',
    figureOf: (value) => ({
      name: 'True peak',
      text: `${value.toFixed(1)} dBTP`,
      part: between(value, -24, 3),
      description:
        'The highest level between the samples too; above 0 a converter may clip. From −24 to +3 dBTP.',
    }),
  },
  energy: {
    group: 'character',
    figureOf: (value) => ({
      name: 'Energy',
      text: percent(value),
      part: value,
      description: 'From calm to driving.',
    }),
  },
  vocal_presence: {
    group: 'character',
    figureOf: (value) => ({
      name: 'Vocals',
      text: percent(value),
      part: value,
      description: 'The share of the song in which somebody sings, an estimate.',
    }),
  },
  danceability: {
    group: 'character',
    figureOf: (value, a) => ({
      name: 'Danceability',
      text: percent(value),
      part: value,
      description: `How steady and strong the beat is.${sure(a.danceability_confidence)}`,
    }),
  },
  valence: {
    group: 'character',
    figureOf: (value, a) => ({
      name: 'Valence',
      text: percent(value),
      part: value,
      description: `From sad to happy, an estimate.${sure(a.valence_confidence)}`,
    }),
  },
  spectral_centroid: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Centroid',
      text: hertz(value),
      part: octavesBetween(value, 200, 8000),
      description: 'Where the middle of the spectrum lies: how bright it sounds. From 200 to 8,000 Hz.',
    }),
  },
  spectral_rolloff: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Rolloff',
      text: hertz(value),
      part: octavesBetween(value, 200, 11_025),
      description: '85 % of the spectrum lies below. From 200 to 11,025 Hz.',
    }),
  },
  spectral_bandwidth: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Bandwidth',
      text: hertz(value),
      part: octavesBetween(value, 200, 8000),
      description: 'How widely the spectrum spreads about its middle. From 200 to 8,000 Hz.',
    }),
  },
  zero_crossing_rate: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Zero crossings',
      text: `${(value * 100).toFixed(1)} %`,
      part: between(value, 0, 0.3),
      description:
        'Share of the samples at which the sign changes: much for hiss, little for bass. From 0 to 30 %.',
    }),
  },
  duration_seconds: null,
  tempo: null,
  tempo_confidence: null,
  key_confidence: null,
  danceability_confidence: null,
  valence_confidence: null,
  grid_version: null,
};

function figuresIn(analysis: SongAnalysis, group: NumberFigure['group']): Figure[] {
  return (Object.keys(numberFigures) as NumberField[]).flatMap((name) => {
    const shown = numberFigures[name];
    const value = analysis[name];
    return shown?.group === group && value !== undefined ? shown.figureOf(value, analysis) : [];
  });
}

/** Returns the known figures of loudness and character. */
export function loudnessFigures(analysis: SongAnalysis): Figure[] {
  return figuresIn(analysis, 'character');
}

/** Returns the known figures of the spectrum. */
export function spectralFigures(analysis: SongAnalysis): Figure[] {
  const contrast = (analysis.spectral_contrast ?? []).map((value, band) => {
    const name = `Contrast ${contrastBands[band]?.name ?? ''}`;
    return {
      name,
      text: `${value.toFixed(1)} dB`,
      part: between(value, 0, 50),
      description:
        'How far the peaks stand above the valleys in this band: much for tones, little for noise. From 0 to 50 dB.',
    };
  });
  return [...figuresIn(analysis, 'spectrum'), ...contrast];
}
