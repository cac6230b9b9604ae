import type { TrackAnalysis } from '../../plan/track-analysis.ts';
import type { SectionName } from '../section-names.ts';

/**
 * Reason for a cue point.
 *
 * These are the first beat, the beginning of a section, a point to begin or end a mix, a loop, a change of energy or
 * key, a phrase, and a bar or beat if a track has nothing better.
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

/** Planned cue point. */
export interface PlannedCue {
  readonly kind: CueKind;
  /** Label such as `Drop 2`, `Mix in, 16 bars before` or `Bar 33 · phrase 5`. */
  readonly label: string;
  /** Seconds from the beginning: the time of a beat, if the track has beats. */
  readonly seconds: number;
  /** Beat number from 1; null if the track has no beats. */
  readonly beat: number | null;
  /** Bar of that beat, 1 for the first whole one, 0 before it; null if the track has no beats. */
  readonly bar: number | null;
  /** Length of the loop in beats; null for other cue points. */
  readonly loopBeats: number | null;
  /** Rank from 1, the most useful; each rank occurs once. */
  readonly rank: number;
  /** Evidence that a part begins at this beat, 0 to 1; see {@link CueEvidence}. */
  readonly confidence: number;
}

/** Cue points of a track. */
export interface CuePlan {
  /** Cue points, ascending, at most one per beat. */
  readonly cues: readonly PlannedCue[];
  /** Message that explains why there are fewer than 26; null if there are enough. */
  readonly reason: string | null;
}

/** Fields of an analysis by which cue points are placed; absent ones have no effect. */
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

/** Candidate for a cue point. */
export interface CueCandidate {
  readonly kind: CueKind;
  readonly label: string;
  /** Index of its beat. */
  readonly at: number;
  readonly loopBeats?: number;
}
