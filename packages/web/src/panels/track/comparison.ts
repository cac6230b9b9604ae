import type { Separation } from '@stem-studio/contract/resources/separation';

/** The separations of a track, the one that the player plays, and how to change it. */
export interface Comparison {
  /** The oldest first. */
  readonly list: readonly Separation[];
  /** Null plays the whole song. */
  readonly selected: Separation | null;
  /** Whether the song itself is a choice: where only previews are separated. */
  readonly offersSong: boolean;
  /** Selects a separation by its job, or the whole song with null. */
  readonly select: (jobId: string | null) => void;
}

/** Choice of a user: valid until the track gets another default separation. */
export interface ComparisonChoice {
  /** Null is the whole song. */
  readonly jobId: string | null;
  /** Default separation of the track when it was chosen. */
  readonly defaultId: string | null;
}

/**
 * Returns the separation to play: the chosen one if it still exists, else the default, else none.
 *
 * @param list separations of the track
 * @param defaultId default separation of the track
 */
export function selectedOf(
  list: readonly Separation[],
  defaultId: string | null,
  choice: ComparisonChoice | null,
): Separation | null {
  const find = (id: string | null) => list.find(({ job_id }) => job_id === id) ?? null;
  const chosen = choice && choice.defaultId === defaultId ? find(choice.jobId) : null;
  return chosen ?? find(defaultId) ?? list.find(({ is_default }) => is_default) ?? null;
}

/** Returns the choice `step` entries after the selected one, cyclically; the song is before the first separation. */
export function choiceAfter({ list, selected, offersSong }: Comparison, step: number): string | null {
  const choices = [...(offersSong ? [null] : []), ...list.map(({ job_id }) => job_id)];
  const at = choices.indexOf(selected?.job_id ?? null);
  return choices[(at + step + choices.length) % Math.max(1, choices.length)] ?? null;
}
