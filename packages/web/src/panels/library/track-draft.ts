import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { tagBounds } from '@stem-studio/contract/limits';
import type { Track } from '@stem-studio/contract/resources/track';
import type { z } from 'zod';

/** Values of the edit form, as typed. */
export interface TrackDraft {
  title: string;
  artist: string;
  album: string;
  bpm: string;
  key: string;
  tags: string[];
}

/** Returns the form's initial values. */
export function draftOf(track: Track): TrackDraft {
  const { title, artist, album, bpm, key, tags } = track;
  return { title, artist, album, bpm: bpm === null ? '' : String(bpm), key, tags };
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
  const tempo = draft.bpm.trim() === '' ? null : Number(draft.bpm.trim().replace(',', '.'));
  if (tempo !== track.bpm) patch.bpm = tempo;
  if (draft.key !== track.key) patch.key = draft.key;
  if (draft.tags.join('\n') !== track.tags.join('\n')) patch.tags = draft.tags;

  const errors: Partial<Record<keyof TrackDraft, string>> = {};
  for (const issue of updateTrack.body.safeParse(patch).error?.issues ?? []) {
    const name = issue.path[0] as keyof TrackDraft;
    errors[name] ??= name === 'bpm' ? 'must be a number from 20 to 400, or empty' : issue.message;
  }
  return { patch, errors };
}

/** Returns tags with typed ones added: split at commas, trimmed, cut to the allowed length, without duplicates. */
export function withTyped(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().slice(0, tagBounds.length))
    .filter((tag) => tag !== '');
  return [...new Set([...tags, ...added])].slice(0, tagBounds.count);
}
