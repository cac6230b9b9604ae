import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { Track } from '@stem-studio/contract/resources/track';
import { useCallback, useMemo, useState } from 'react';
import { useBatchActions } from '../../state/batch-actions.ts';
import { decksPlaying } from '../../state/deck-holdings.state.ts';
import type { SelectedTrack } from '../../state/selection.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';

/** Where a menu opens: at an element, or at a point of the window in pixels. */
export type MenuAnchor = Element | { readonly x: number; readonly y: number };

/** Tracks whose fields are being edited; `tags` shows only the tags. */
export interface Editing {
  readonly tracks: readonly SelectedTrack[];
  readonly part: 'all' | 'tags';
}

/** Menu and dialogs of the library's rows, and the actions that open them. */
export interface RowDialogs {
  readonly menu: { readonly track: Track; readonly anchor: MenuAnchor } | null;
  readonly editing: Editing | null;
  /** The tracks whose deletion waits for an answer, the one that plays, and the decks that play it. */
  readonly deleting: {
    readonly tracks: readonly SelectedTrack[];
    readonly playing: SelectedTrack;
    readonly decks: readonly DeckId[];
  } | null;
  readonly openMenu: (track: Track, anchor: MenuAnchor) => void;
  readonly closeMenu: () => void;
  readonly edit: (tracks: readonly SelectedTrack[], part?: Editing['part']) => void;
  readonly closeEdit: () => void;
  /** Deletes tracks at once, or after confirmation while a deck plays one of them. */
  readonly remove: (tracks: readonly SelectedTrack[]) => void;
  readonly answerDeletion: (isConfirmed: boolean) => void;
}

/** Keeps which menu and dialog of the library's rows is open. */
export function useRowDialogs(actions: TrackActions): RowDialogs {
  const batch = useBatchActions();
  const [menu, setMenu] = useState<RowDialogs['menu']>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [deleting, setDeleting] = useState<RowDialogs['deleting']>(null);
  const openMenu = useCallback((track: Track, anchor: MenuAnchor) => setMenu({ track, anchor }), []);
  const removeNow = useCallback(
    (tracks: readonly SelectedTrack[]) => {
      const [only, second] = tracks;
      if (only && !second) void actions.remove(only);
      else void batch.remove(tracks);
    },
    [actions, batch],
  );
  return useMemo(
    () => ({
      menu,
      editing,
      deleting,
      openMenu,
      closeMenu: () => setMenu(null),
      edit: (tracks, part = 'all') => setEditing({ tracks, part }),
      closeEdit: () => setEditing(null),
      remove(tracks) {
        const playing = tracks.find(({ id }) => decksPlaying(id).length > 0);
        if (playing) setDeleting({ tracks, playing, decks: decksPlaying(playing.id) });
        else removeNow(tracks);
      },
      answerDeletion(isConfirmed) {
        setDeleting(null);
        if (isConfirmed && deleting) removeNow(deleting.tracks);
      },
    }),
    [menu, editing, deleting, openMenu, removeNow],
  );
}
