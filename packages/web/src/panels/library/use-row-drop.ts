import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import type { TrackView } from '../../client/queries.ts';
import { isInOwnOrder, moveInCrate, useListCrate } from '../../state/crate-actions.ts';
import { draggedTrackIds, hasDraggedTracks } from '../../ui/track-drag.ts';

/** Reordering of a crate by dragging its rows. */
export interface RowDrop {
  /** Row before which dragged tracks would be put, or null. */
  readonly gap: number | null;
  /** Handlers of the element that contains all rows. */
  readonly handlers: {
    readonly onDragOver?: (event: DragEvent) => void;
    readonly onDragLeave?: (event: DragEvent) => void;
    readonly onDrop?: (event: DragEvent) => void;
  };
}

/** Moves tracks that are dropped between the rows of a crate in its own order; no other list takes them. */
export function useRowDrop(view: TrackView, rowPx: number, count: number): RowDrop {
  const client = useQueryClient();
  const crate = useListCrate(view);
  const [gap, setGap] = useState<number | null>(null);
  if (crate === null || !isInOwnOrder(view)) return { gap: null, handlers: {} };
  const gapAt = ({ clientY, currentTarget }: DragEvent) =>
    Math.min(count, Math.max(0, Math.round((clientY - currentTarget.getBoundingClientRect().top) / rowPx)));
  return {
    gap,
    handlers: {
      onDragOver(event) {
        if (!hasDraggedTracks(event)) return;
        event.preventDefault();
        setGap(gapAt(event));
      },
      onDragLeave({ currentTarget, relatedTarget }) {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setGap(null);
      },
      onDrop(event) {
        setGap(null);
        const ids = draggedTrackIds(event);
        if (ids.length === 0) return;
        event.preventDefault();
        void moveInCrate(client, crate, ids, gapAt(event));
      },
    },
  };
}
