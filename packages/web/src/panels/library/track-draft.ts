import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { tagBounds } from '@stem-studio/contract/limits';
import type { Track } from '@stem-studio/contract/resources/track';
import type { z } from 'zod';

/** A track as its edit form holds it: text, as typed. */
export interface TrackDraft {
  title: string;
  artist: string;
  album: string;
  bpm: string;
  key: string;
  tags: string[];
}

/** The form's first state. */
export function draftOf(track: Track): TrackDraft {
  const { title, artist, album, bpm, key, tags } = track;
  return { title, artist, album, bpm: bpm === null ? '' : String(bpm), key, tags };
}

/** What a change of a track may say. */
export type TrackPatch = z.input<typeof updateTrack.body>;

/**
 * The fields that a draft changes, and what is wrong with them by the contract's own rules; a comma is taken as the
 * tempo's decimal point.
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

/** `tags` with what was typed added: split at commas, trimmed, cut to the longest allowed, none twice. */
export function withTyped(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().slice(0, tagBounds.length))
    .filter((tag) => tag !== '');
  return [...new Set([...tags, ...added])].slice(0, tagBounds.count);
}
