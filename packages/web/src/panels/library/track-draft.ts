import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { tagBounds } from '@stem-studio/contract/limits';
import type { Track } from '@stem-studio/contract/resources/track';
import type { z } from 'zod';

/** Values of the edit form, as typed. */
export interface TrackDraft {
  title: string;
  artist: string;
  album: string;
  genre: string;
  year: string;
  /** Stars, 0 for none. */
  rating: number;
  comment: string;
  bpm: string;
  key: string;
  tags: string[];
}

/** Returns the form's initial values. */
export function draftOf(track: Track): TrackDraft {
  const { title, artist, album, genre, rating, comment, key, tags } = track;
  const [bpm, year] = [track.bpm, track.year].map((value) => (value === null ? '' : String(value)));
  return { title, artist, album, genre, year: year ?? '', rating, comment, bpm: bpm ?? '', key, tags };
}

/** Fields of a track that can be changed. */
export type TrackPatch = z.input<typeof updateTrack.body>;

/**
 * Returns the changed fields of a draft, and their errors by the contract's schema. A comma is accepted as the decimal
 * separator of the tempo.
 */
export function patchOf(
  track: Track,
  draft: TrackDraft,
): { patch: TrackPatch; errors: Partial<Record<keyof TrackDraft, string>> } {
  const patch: TrackPatch = {};
  if (draft.title.trim() !== track.title) patch.title = draft.title.trim();
  if (draft.artist.trim() !== track.artist) patch.artist = draft.artist.trim();
  if (draft.album.trim() !== track.album) patch.album = draft.album.trim();
  if (draft.genre.trim() !== track.genre) patch.genre = draft.genre.trim();
  if (draft.comment.trim() !== track.comment) patch.comment = draft.comment.trim();
  if (draft.rating !== track.rating) patch.rating = draft.rating;
  const year = yearOf(draft.year);
  if (year !== track.year) patch.year = year;
  const tempo = draft.bpm.trim() === '' ? null : Number(draft.bpm.trim().replace(',', '.'));
  if (tempo !== track.bpm) patch.bpm = tempo;
  if (draft.key !== track.key) patch.key = draft.key;
  if (draft.tags.join('\n') !== track.tags.join('\n')) patch.tags = draft.tags;

  const errors: Partial<Record<keyof TrackDraft, string>> = {};
  for (const issue of updateTrack.body.safeParse(patch).error?.issues ?? []) {
    const name = issue.path[0] as keyof TrackDraft;
    errors[name] ??= fieldErrors[name] ?? issue.message;
  }
  return { patch, errors };
}

/** Errors of fields that are typed as text but are numbers. */
export const fieldErrors: Partial<Record<string, string>> = {
  bpm: 'must be a number from 20 to 400, or empty',
  year: 'must be a year with four digits, or empty',
};

/** Returns a typed year; null for an empty text, NaN for anything but a whole number. */
export function yearOf(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns tags with typed ones added: split at commas, trimmed, cut to the allowed length, without duplicates. */
export function withTyped(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().slice(0, tagBounds.length))
    .filter((tag) => tag !== '');
  return [...new Set([...tags, ...added])].slice(0, tagBounds.count);
}
