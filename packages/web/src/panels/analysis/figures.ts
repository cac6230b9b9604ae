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
  confidence === undefined ? '' : ` ${Math.round(confidence * 100)} % confidence.`;
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
      description: 'Integrated loudness (EBU R 128), from −36 to 0 LUFS.',
    }),
  },
  true_peak_db: {
    group: 'character',
    figureOf: (value) => ({
      name: 'True peak',
      text: `${value.toFixed(1)} dBTP`,
      part: between(value, -24, 3),
      description:
        'Peak level, including peaks between samples; above 0 dBTP playback may clip. From −24 to +3 dBTP.',
    }),
  },
  energy: {
    group: 'character',
    figureOf: (value) => ({
      name: 'Energy',
      text: percent(value),
      part: value,
      description: 'Intensity, from calm to driving.',
    }),
  },
  vocal_presence: {
    group: 'character',
    figureOf: (value) => ({
      name: 'Vocals',
      text: percent(value),
      part: value,
      description: 'Proportion of the song with vocals, estimated.',
    }),
  },
  danceability: {
    group: 'character',
    figureOf: (value, a) => ({
      name: 'Danceability',
      text: percent(value),
      part: value,
      description: `Strength and regularity of the beat.${sure(a.danceability_confidence)}`,
    }),
  },
  valence: {
    group: 'character',
    figureOf: (value, a) => ({
      name: 'Valence',
      text: percent(value),
      part: value,
      description: `Mood from sad to happy, estimated.${sure(a.valence_confidence)}`,
    }),
  },
  spectral_centroid: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Centroid',
      text: hertz(value),
      part: octavesBetween(value, 200, 8000),
      description: 'Centre of the spectrum, a measure of brightness. From 200 to 8,000 Hz.',
    }),
  },
  spectral_rolloff: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Rolloff',
      text: hertz(value),
      part: octavesBetween(value, 200, 11_025),
      description: 'Frequency below which 85 % of the energy lies. From 200 to 11,025 Hz.',
    }),
  },
  spectral_bandwidth: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Bandwidth',
      text: hertz(value),
      part: octavesBetween(value, 200, 8000),
      description: 'Width of the spectrum around its centroid. From 200 to 8,000 Hz.',
    }),
  },
  zero_crossing_rate: {
    group: 'spectrum',
    figureOf: (value) => ({
      name: 'Zero crossings',
      text: `${(value * 100).toFixed(1)} %`,
      part: between(value, 0, 0.3),
      description: 'Rate of sign changes: high for noise, low for bass. From 0 to 30 % of the samples.',
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
      description: 'Peaks above valleys in this band: high for tones, low for noise. From 0 to 50 dB.',
    };
  });
  return [...figuresIn(analysis, 'spectrum'), ...contrast];
}
