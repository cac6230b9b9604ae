import { updateTracks } from '@stem-studio/contract/endpoints/tracks';
import type { Track } from '@stem-studio/contract/resources/track';
import type { TracksChange } from '../../state/undo-changes.ts';
import { fieldErrors, yearOf } from './track-draft.ts';

/** Text fields of the form for several tracks. */
export const textFields = ['artist', 'album', 'genre', 'year', 'comment'] as const;
/** One of {@link textFields}. */
export type TextField = (typeof textFields)[number];

/** Values of the form for several tracks. A field that is null keeps the values of the tracks. */
export interface TracksDraft {
  readonly texts: Readonly<Record<TextField, string | null>>;
  readonly rating: number | null;
  readonly addedTags: readonly string[];
  readonly removedTags: readonly string[];
}

/** A form that keeps everything. */
export const keptDraft: TracksDraft = {
  texts: { artist: null, album: null, genre: null, year: null, comment: null },
  rating: null,
  addedTags: [],
  removedTags: [],
};

/** Any valid id, so that the schema checks the change alone. */
const anyId = '00000000-0000-4000-8000-000000000000';

/** Returns the change of a draft, null if it keeps everything, and the errors of its fields by the contract's schema. */
export function changeOf({ texts, rating, addedTags, removedTags }: TracksDraft): {
  change: TracksChange | null;
  errors: Partial<Record<string, string>>;
} {
  const { year, ...others } = texts;
  const typed = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== null);
  const change: TracksChange = {
    ...Object.fromEntries(typed.map(([name, text]) => [name, text.trim()])),
    ...(year !== null && { year: yearOf(year) }),
    ...(rating !== null && { rating }),
    ...(addedTags.length > 0 && { add_tags: [...addedTags] }),
    ...(removedTags.length > 0 && { remove_tags: [...removedTags] }),
  };
  if (Object.keys(change).length === 0) return { change: null, errors: {} };
  const errors: Partial<Record<string, string>> = {};
  for (const issue of updateTracks.body.safeParse({ track_ids: [anyId], change }).error?.issues ?? []) {
    const name = String(issue.path[1]);
    errors[name] ??= fieldErrors[name] ?? issue.message;
  }
  return { change, errors };
}

/** Returns the value of a field that all tracks share, or null if they differ. */
export function sharedText(tracks: readonly Track[], field: TextField): string | null {
  const values = new Set(tracks.map((track) => String(track[field] ?? '')));
  const [only] = values;
  return values.size === 1 && only !== undefined ? only : null;
}

/** Returns the tags that any of the tracks has, the most frequent first. */
export function tagsOf(tracks: readonly Track[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of tracks.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([tag]) => tag);
}
