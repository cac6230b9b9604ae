import type { TempoPoint } from '../rhythm/tempo-curve.ts';
import type { LabelledSpan } from '../tonal/chords.ts';
import type { KeySpan } from '../tonal/key-changes.ts';

/** What a caller may ask for; `all` is everything. `tempo` brings the sections along, `key` the chords. */
export type FeatureName = 'tempo' | 'key' | 'energy' | 'spectral' | 'mfcc' | 'chroma' | 'all';

/**
 * What an analysis found, in the service's own field names. Fields of features that were not asked for are absent.
 * Every number is finite.
 *
 * @spec Analysis results
 */
export interface TrackAnalysis {
  duration_seconds: number;
  /** Beats a minute with two decimals; 0 where there is no pulse. */
  tempo?: number;
  /** 0 to 1. */
  tempo_confidence?: number;
  /** Whether the tempo stays the same throughout. */
  tempo_stable?: boolean;
  /** Where the tempo moves, a point each four beats; empty where it stays. */
  tempo_curve?: TempoPoint[];
  /** `4/4`, `3/4` or `6/8`; empty where there is no pulse. */
  time_signature?: string;
  /** Beats in hops of 512 samples at 22,050 Hz. */
  beat_frames?: number[];
  /** Beats in seconds. */
  beats?: number[];
  /** Those of the beats that begin a bar, in seconds. */
  downbeats?: number[];
  /** From 0 to the end without gaps: intro, verse, build, drop, chorus, breakdown, bridge, outro; seconds. */
  sections?: LabelledSpan[];
  /** `A minor`, `F# major`; empty where there is no tonality. */
  key?: string;
  /** 0 to 1. */
  key_confidence?: number;
  /** `8A`; empty where there is no key. */
  camelot?: string;
  /** Keys from 0 to the end, more than one only where a modulation is certain; empty where there is no key. Seconds. */
  keys?: KeySpan[];
  /** Chords from 0 to the end: `C`, `Am`, `G7`, `Fmaj7`, `Dm7`, `N` for none; sharps; seconds. */
  chords?: LabelledSpan[];
  /** 0 to 1. */
  energy?: number;
  /** The same of each second, 0 to 1. */
  energy_curve?: number[];
  /** The share of the seconds in which somebody sings, 0 to 1. */
  vocal_presence?: number;
  /** How likely it is in each second that somebody sings, 0 to 1. */
  vocal_curve?: number[];
  /** Integrated loudness; −70 in silence. */
  loudness_lufs?: number;
  /** Highest point between the samples too, dB against full scale; −100 in silence. */
  true_peak_db?: number;
  /** How well it can be danced to, an estimate, 0 to 1. */
  danceability?: number;
  /** 0 to 1. */
  danceability_confidence?: number;
  /** How positive it sounds, an estimate, 0 to 1. */
  valence?: number;
  /** 0 to 0.5: sound says little about it. */
  valence_confidence?: number;
  /** Hz. */
  spectral_centroid?: number;
  /** Hz, below which 85 % of the magnitude lies. */
  spectral_rolloff?: number;
  /** Hz. */
  spectral_bandwidth?: number;
  /** dB in seven bands: below 200 Hz, and six octaves above. */
  spectral_contrast?: number[];
  /** Share of the samples at which the sign changes, 0 to 1. */
  zero_crossing_rate?: number;
  /** Matrices row by row, one column each `frame_seconds`; column t stands for the sound from t · frame_seconds on. Curves too. */
  features: {
    /** 13 rows, decibels. */
    mfcc?: number[][];
    /** 12 rows, C first, the largest number of each column 1 (all 0 in silence). */
    chroma?: number[][];
    /** 7 rows, the lowest band first, decibels; measured at the start of each column. */
    spectral_contrast?: number[][];
    /** Hz, as are the next two. */
    spectral_centroid?: number[];
    spectral_rolloff?: number[];
    spectral_bandwidth?: number[];
    /** 0 to 1. */
    zero_crossing_rate?: number[];
    /** 2,048 / 22,050 s, present with a matrix. */
    frame_seconds?: number;
  };
}
