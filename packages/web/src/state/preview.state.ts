import type { Track } from '@stem-studio/contract/resources/track';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { type TrackView, tracksPerPage, tracksQuery } from '../client/queries.ts';
import { goTo, route } from './route.state.ts';

/** A track that is listened to in the library. */
export interface Preview {
  readonly track: Track;
  /** List that it was started from, and its row there, for the next and the previous track. */
  readonly view: TrackView;
  readonly index: number;
  /** Where it starts, 0 to 1 of its length. */
  readonly from: number;
  /** Differs between two starts of the same track. */
  readonly request: number;
}

/** The track of the mini player, playing or paused; null while it is closed. */
export const preview = createStore<{ readonly now: Preview | null }>(() => ({ now: null }));

/** Transport of the open mini player; null while it is closed. */
export const previewTransport = createStore<{ readonly open: { readonly toggle: () => void } | null }>(
  () => ({
    open: null,
  }),
);

let requests = 0;

/** Plays a track of a list in the mini player, from a part of its length, 0 to 1. An open track page is closed. */
export function startPreview(track: Track, view: TrackView, index: number, from = 0): void {
  requests++;
  if (route.getState().track !== null) goTo({ track: null });
  preview.setState({ now: { track, view, index, from, request: requests } });
}

/** Plays a track from its start, or plays or pauses it if it is in the mini player already. */
export function togglePreview(track: Track, view: TrackView, index: number): void {
  const { open } = previewTransport.getState();
  if (open && preview.getState().now?.track.id === track.id && route.getState().track === null) open.toggle();
  else startPreview(track, view, index);
}

/** Closes the mini player. */
export function closePreview(): void {
  preview.setState({ now: null });
}

/** Returns the track `step` rows further in a list, skipping those without audio; null beyond its ends. */
export async function trackBeside(
  client: QueryClient,
  view: TrackView,
  index: number,
  step: 1 | -1,
): Promise<{ track: Track; index: number } | null> {
  for (let row = index + step; row >= 0; row += step) {
    const page = Math.floor(row / tracksPerPage) + 1;
    const { data, meta } = await client.fetchQuery(tracksQuery(view, page));
    if (row >= meta.total_count) return null;
    const track = data[row % tracksPerPage];
    if (!track) return null;
    if (track.audio) return { track, index: row };
  }
  return null;
}
