import { z } from 'zod';
import { track } from './track.ts';

/**
 * How a key stands to another on the wheel of fifths: a step is `8A` to `9A` or `7A`, a boost a whole tone or a semitone
 * up.
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

/** A track that goes with another one, and why. */
export const relatedTrack = z.object({
  track,
  /** How well, 0 to 1. */
  score: z.number().min(0).max(1),
  key_relation: keyRelation,
  /** By how much it is to be sped up, in percent; null where a tempo is unknown. */
  tempo_percent: z.number().nullable(),
  /** Beats of the other track to one of it: 1, 2 where it has half the tempo, 0.5 where it has double; null likewise. */
  tempo_factor: z.number().nullable(),
  /** The same in words. */
  reasons: z.array(z.string()),
});
/** A track that goes with another one, and why. */
export type RelatedTrack = z.infer<typeof relatedTrack>;
