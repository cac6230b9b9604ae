/** A note for comparison. */
export interface ComparedNote {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** MIDI number, with a fraction. */
  readonly pitch: number;
}

/** Accuracy of a transcription. */
export interface NoteScore {
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
}

/** Tolerance of onsets in seconds, and of pitches in semitones: a quarter tone. */
const ONSET_SECONDS = 0.05;
const PITCH_SEMITONES = 0.5;
/** Tolerance of offsets relative to the note's length; at least the tolerance of onsets. */
const OFFSET_RATIO = 0.2;

/**
 * Compares found notes with written notes. Each is matched with at most one other, and the number of matches is the
 * maximum (maximum bipartite matching), as in MIREX and mir_eval.
 *
 * @param withOffsets whether the offsets must match too
 * @see Raffel et al., "mir_eval: a transparent implementation of common MIR metrics", ISMIR 2014
 */
export function noteScore(
  written: readonly ComparedNote[],
  found: readonly ComparedNote[],
  withOffsets = false,
): NoteScore {
  const candidates = written.map((one) =>
    found.flatMap((other, index) => (isSame(one, other, withOffsets) ? [index] : [])),
  );
  const matchOf = new Int32Array(found.length).fill(-1);
  const assign = (index: number, tried: Set<number>): boolean =>
    (candidates[index] ?? []).some((candidate) => {
      if (tried.has(candidate)) return false;
      tried.add(candidate);
      const holder = matchOf[candidate] ?? -1;
      if (holder >= 0 && !assign(holder, tried)) return false;
      matchOf[candidate] = index;
      return true;
    });
  const matched = written.filter((_, index) => assign(index, new Set())).length;
  const precision = found.length > 0 ? matched / found.length : 0;
  const recall = written.length > 0 ? matched / written.length : 0;
  return { precision, recall, f: matched > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}

function isSame(written: ComparedNote, found: ComparedNote, withOffsets: boolean): boolean {
  if (Math.abs(written.startSeconds - found.startSeconds) > ONSET_SECONDS) return false;
  if (Math.abs(written.pitch - found.pitch) > PITCH_SEMITONES) return false;
  const slack = Math.max(ONSET_SECONDS, OFFSET_RATIO * (written.endSeconds - written.startSeconds));
  return !withOffsets || Math.abs(written.endSeconds - found.endSeconds) <= slack;
}
