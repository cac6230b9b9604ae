import type { Track } from '@stem-studio/contract/resources/track';
import { createStore } from 'zustand/vanilla';

/** Selected tracks of the library. */
export interface Selection {
  /** Ids of all selected tracks, in the order of the list. */
  readonly ids: ReadonlySet<string>;
  /** The selected tracks that the page has loaded; the others are far from the visible rows. */
  readonly tracks: ReadonlyMap<string, Track>;
}

/** A track of the selection, as far as the page knows it. */
export type SelectedTrack = Track | Pick<Track, 'id' | 'title'>;

/** Whether the page knows all fields of a track. */
export function isLoaded(track: SelectedTrack): track is Track {
  return 'artist' in track;
}

const nothing: Selection = { ids: new Set(), tracks: new Map() };

/** The selection of the library. */
export const selection = createStore<Selection>(() => nothing);

/** Returns the selected tracks that the page has loaded, in the order of the list. */
export function selectedTracks(): readonly Track[] {
  const { ids, tracks } = selection.getState();
  return [...ids].flatMap((id) => tracks.get(id) ?? []);
}

/** Returns all selected tracks in the order of the list; the title of a track that is not loaded is empty. */
export function allSelected(): readonly SelectedTrack[] {
  const { ids, tracks } = selection.getState();
  return [...ids].map((id) => tracks.get(id) ?? { id, title: '' });
}

/** Replaces the selection by tracks in the order of the list. */
export function select(tracks: readonly Track[]): void {
  selection.setState({
    ids: new Set(tracks.map(({ id }) => id)),
    tracks: new Map(tracks.map((track) => [track.id, track])),
  });
}

/** Replaces the selection by ids in the order of the list; `known` are the tracks that the page has loaded. */
export function selectIds(ids: readonly string[], known: readonly Track[]): void {
  const chosen = new Set(ids);
  const before = selection.getState().tracks;
  const tracks = new Map(known.filter(({ id }) => chosen.has(id)).map((track) => [track.id, track]));
  for (const id of chosen) {
    const track = before.get(id);
    if (track && !tracks.has(id)) tracks.set(id, track);
  }
  selection.setState({ ids: chosen, tracks });
}

/** Adds a track to the selection, or removes it. */
export function toggleSelected(track: Track): void {
  const { ids, tracks } = selection.getState();
  const nextIds = new Set(ids);
  const nextTracks = new Map(tracks);
  if (nextIds.delete(track.id)) nextTracks.delete(track.id);
  else {
    nextIds.add(track.id);
    nextTracks.set(track.id, track);
  }
  selection.setState({ ids: nextIds, tracks: nextTracks });
}

/** Removes tracks from the selection, for instance deleted ones. */
export function deselect(ids: Iterable<string>): void {
  const now = selection.getState();
  const nextIds = new Set(now.ids);
  const nextTracks = new Map(now.tracks);
  for (const id of ids) {
    nextIds.delete(id);
    nextTracks.delete(id);
  }
  if (nextIds.size !== now.ids.size) selection.setState({ ids: nextIds, tracks: nextTracks });
}

/** Clears the selection. */
export function clearSelection(): void {
  if (selection.getState().ids.size > 0) selection.setState(nothing);
}

/** Returns the tracks that an action on a row changes: the selection if the row is in it, else the row alone. */
export function targetsOf(track: Track): readonly SelectedTrack[] {
  return selection.getState().ids.has(track.id) ? allSelected() : [track];
}
