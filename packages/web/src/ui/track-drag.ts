import type { Track } from '@stem-studio/contract/resources/track';
import type { DragEvent } from 'react';

/** MIME type of a dragged track; its data is the id. */
export const trackDragType = 'application/x-stem-studio-track';

/**
 * Starts dragging a track: its id for the decks, its title for other programs. The drag image is the child marked
 * `data-drag-image`, or the element itself.
 */
export function startTrackDrag({ dataTransfer, currentTarget }: DragEvent<HTMLElement>, track: Track): void {
  dataTransfer.effectAllowed = 'copy';
  dataTransfer.setData(trackDragType, track.id);
  dataTransfer.setData('text/plain', track.title);
  const image = currentTarget.querySelector('[data-drag-image]') ?? currentTarget;
  dataTransfer.setDragImage(image, 12, 12);
}
