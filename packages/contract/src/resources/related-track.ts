import { z } from 'zod';
import { track } from './track.ts';

/**
 * Relation of a key to another on the wheel of fifths: a step is `8A` to `9A` or `7A`, a boost a whole tone or a
 * semitone up.
 */
export const keyRelation = z.enum([
  'same',
  'relative',
  'step_up',
  'step_down',
  'boost_tone',
  'boost_semitone',
  'clash',
  'unknown',
]);

/** Track that can be mixed with another one, with the reasons. */
export const relatedTrack = z.object({
  track,
  /** Score of the match, 0 to 1. */
  score: z.number().min(0).max(1),
  key_relation: keyRelation,
  /** Tempo change required of this track, in percent; null if a tempo is unknown. */
  tempo_percent: z.number().nullable(),
  /**
   * Beats of the other track per beat of this one: 1, 2 if it has half the tempo, 0.5 if it has double; null if a
   * tempo is unknown.
   */
  tempo_factor: z.number().nullable(),
  /** The same as text. */
  reasons: z.array(z.string()),
});
/** Track that can be mixed with another one, with the reasons. */
export type RelatedTrack = z.infer<typeof relatedTrack>;
