import type { TrackAnalysis } from '../../plan/track-analysis.ts';
import type { SectionName } from '../section-names.ts';

/**
 * What a cue point stands at: the first beat, the beginning of a section, a place to begin or end a mix, a stretch to
 * loop, a turn of energy or key, a phrase, or a mere bar or beat where a track has nothing better.
 *
 * @spec Cue points
 */
export type CueKind =
  | SectionName
  | 'first_beat'
  | 'mix_in'
  | 'mix_out'
  | 'loop'
  | 'transition'
  | 'phrase'
  | 'bar'
  | 'beat';

/** One place to jump to. */
export interface PlannedCue {
  readonly kind: CueKind;
  /** What it is called: `Drop 2`, `Mix in, 16 bars before`, `Bar 33`. */
  readonly label: string;
  /** Seconds from the beginning: the time of a beat, where the track has beats. */
  readonly seconds: number;
  /** The beat it stands on, 1 for the first; null where the track has none. */
  readonly beat: number | null;
  /** The bar of that beat, 1 for the first whole one, 0 before it; null where the track has none. */
  readonly bar: number | null;
  /** Beats from here on that repeat well; null for what is no loop. */
  readonly loopBeats: number | null;
  /** 1 for the most useful, each number once. */
  readonly rank: number;
  /** How much of the evidence speaks for something beginning here, 0 to 1; see {@link CueEvidence} for what counts. */
  readonly confidence: number;
}

/** The cue points of a track. */
export interface CuePlan {
  /** Ascending, never two on one beat. */
  readonly cues: readonly PlannedCue[];
  /** Why there are fewer than 26, a sentence; null where there are enough. */
  readonly reason: string | null;
}

/** What cue points are placed by; whatever is missing says nothing. */
export type CueGround = Pick<TrackAnalysis, 'duration_seconds'> &
  Partial<
    Pick<
      TrackAnalysis,
      | 'beats'
      | 'downbeats'
      | 'tempo_confidence'
      | 'time_signature'
      | 'sections'
      | 'chords'
      | 'keys'
      | 'energy_curve'
      | 'vocal_curve'
    >
  >;

/** A place that wants to be a cue. */
export interface CueCandidate {
  readonly kind: CueKind;
  readonly label: string;
  /** Index of its beat. */
  readonly at: number;
  readonly loopBeats?: number;
}
