import { uuid } from '@stem-studio/contract/ids';
import type { Track } from '@stem-studio/contract/resources/track';
import type { DragEvent } from 'react';
import { z } from 'zod';

const trackIds = z.array(uuid);

/** MIME type of a single dragged track; its data is the id. */
export const trackDragType = 'application/x-stem-studio-track';

/** MIME type of dragged tracks, one or more; its data is a JSON array of ids. */
export const tracksDragType = 'application/x-stem-studio-tracks';

/**
 * Starts dragging tracks: their ids for crates, the id of a single one for the decks, the titles for other programs.
 * The drag image is the child marked `data-drag-image`, or the element itself; of several tracks, their number.
 */
export function startTrackDrag(
  { dataTransfer, currentTarget }: DragEvent<HTMLElement>,
  tracks: readonly Pick<Track, 'id' | 'title'>[],
): void {
  const [first] = tracks;
  if (!first) return;
  dataTransfer.effectAllowed = 'copyMove';
  if (tracks.length === 1) dataTransfer.setData(trackDragType, first.id);
  dataTransfer.setData(tracksDragType, JSON.stringify(tracks.map(({ id }) => id)));
  const titles = tracks.map(({ title }) => title).filter((title) => title !== '');
  dataTransfer.setData('text/plain', titles.join('\n'));
  const image = currentTarget.querySelector('[data-drag-image]') ?? currentTarget;
  dataTransfer.setDragImage(tracks.length === 1 ? image : countImage(tracks.length), 12, 12);
}

/** Whether a drag carries tracks; their ids are readable only when they are dropped. */
export function hasDraggedTracks({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean {
  return dataTransfer.types.includes(tracksDragType);
}

/** Returns the ids of dropped tracks, in order; none for anything else. */
export function draggedTrackIds({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): readonly string[] {
  try {
    return trackIds.safeParse(JSON.parse(dataTransfer.getData(tracksDragType))).data ?? [];
  } catch {
    // Something else was dragged.
    return [];
  }
}

/** Number beside the pointer; kept outside the page, because the browser copies the element when a drag begins. */
let badge: HTMLElement | null = null;

function countImage(count: number): HTMLElement {
  if (!badge) {
    badge = document.createElement('div');
    badge.className = 'drag-count';
    badge.setAttribute('aria-hidden', 'true');
    document.body.append(badge);
  }
  badge.textContent = `${count.toLocaleString('en')} tracks`;
  return badge;
}
