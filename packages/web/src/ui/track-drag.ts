import type { Track } from '@stem-studio/contract/resources/track';
import type { DragEvent } from 'react';

/** What a dragged track is carried as: its id. */
export const trackDragType = 'application/x-stem-studio-track';

/**
 * Lets a track be dragged: its id for the decks, its title for everybody else. The picture at the pointer is the part of
 * the dragged element that is marked `data-drag-image`, or the element itself.
 */
export function startTrackDrag({ dataTransfer, currentTarget }: DragEvent<HTMLElement>, track: Track): void {
  dataTransfer.effectAllowed = 'copy';
  dataTransfer.setData(trackDragType, track.id);
  dataTransfer.setData('text/plain', track.title);
  const picture = currentTarget.querySelector('[data-drag-image]') ?? currentTarget;
  dataTransfer.setDragImage(picture, 12, 12);
}
