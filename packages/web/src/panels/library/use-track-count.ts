import { useQuery } from '@tanstack/react-query';
import { type TrackView, trackCountQuery, tracksQuery } from '../../client/queries.ts';
import { useIsRested } from '../../ui/use-is-rested.ts';

/** Time that a list rests before its tracks are counted, in ms: counting them would delay the rows of the next key. */
const COUNT_AFTER_MS = 200;

/** How many tracks a list has, as far as known. */
export interface TrackCount {
  readonly count: number;
  /** Whether more tracks follow that are not counted yet. */
  readonly isMinimum: boolean;
}

/** Counts the tracks of a list: those of its first page at once, all of them a little later. Null while unknown. */
export function useTrackCount(view: TrackView, isEnabled: boolean): TrackCount | null {
  const first = useQuery({ ...tracksQuery(view, 1), enabled: isEnabled });
  const hasMore = first.data?.meta.has_more === true;
  const isRested = useIsRested(JSON.stringify([view.q, view.crate, view.isRecent]), COUNT_AFTER_MS);
  const counted = useQuery({ ...trackCountQuery(view), enabled: isEnabled && hasMore && isRested });
  if (!first.data) return null;
  const { total_count: least } = first.data.meta;
  if (!hasMore) return { count: least, isMinimum: false };
  const all = counted.data?.meta.total_count;
  return { count: Math.max(least, all ?? 0), isMinimum: all === undefined };
}
