import type { SkippedItem } from '@stem-studio/contract/resources/catalog';
import type { CatalogCollection, CatalogEntry } from '../catalog-provider.ts';
import * as replies from './catalog-replies.ts';

/** Parses an entry of an album or a playlist: a track, or the reason to skip it. */
export function readTrack(
  raw: unknown,
  toEntry: (track: replies.TrackReply) => CatalogEntry,
  isLocal = false,
): CatalogEntry | SkippedItem {
  const known = replies.anyEntry.safeParse(raw);
  const title = known.success ? known.data.name : '';
  if (isLocal || (known.success && known.data.is_local === true))
    return { title, reason: "is a file on somebody's own device, not in the catalog" };
  if (known.success && known.data.type === 'episode') return { title, reason: 'is an episode, not a song' };
  const track = replies.trackReply.safeParse(raw);
  return track.success
    ? toEntry(track.data)
    : { title, reason: 'the catalog describes it in an unknown form' };
}

/** Collects the tracks of an album or a playlist, and the skipped entries with their reasons. */
export function collect(
  title: string,
  list: { readonly entries: readonly unknown[]; readonly skipped: readonly SkippedItem[] },
  read: (entry: unknown) => CatalogEntry | SkippedItem,
): CatalogCollection {
  const entries: CatalogEntry[] = [];
  const skipped: SkippedItem[] = [];
  for (const raw of list.entries) {
    const made = read(raw);
    if ('track' in made) entries.push(made);
    else skipped.push(made);
  }
  return { title, entries, skipped: [...skipped, ...list.skipped] };
}
