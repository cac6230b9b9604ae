import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { Track } from '@stem-studio/contract/resources/track';
import { useCallback, useState } from 'react';
import { decksPlaying } from '../../state/deck-holdings.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';

/** Menu and dialogs of the library's rows, and the actions that open them. */
export interface RowDialogs {
  readonly menu: { readonly track: Track; readonly anchor: Element } | null;
  /** The track whose fields are being edited. */
  readonly editing: Track | null;
  /** The track whose deletion waits for an answer, and the decks that play it. */
  readonly deleting: { readonly track: Track; readonly decks: readonly DeckId[] } | null;
  readonly openMenu: (track: Track, anchor: Element) => void;
  readonly closeMenu: () => void;
  readonly edit: (track: Track | null) => void;
  /** Deletes a track at once, or after confirmation while a deck plays it. */
  readonly remove: (track: Track) => void;
  readonly answerDeletion: (isConfirmed: boolean) => void;
}

/** Keeps which menu and dialog of the library's rows is open. */
export function useRowDialogs(actions: TrackActions): RowDialogs {
  const [menu, setMenu] = useState<RowDialogs['menu']>(null);
  const [editing, edit] = useState<Track | null>(null);
  const [deleting, setDeleting] = useState<RowDialogs['deleting']>(null);
  const openMenu = useCallback((track: Track, anchor: Element) => setMenu({ track, anchor }), []);
  return {
    menu,
    editing,
    deleting,
    openMenu,
    closeMenu: () => setMenu(null),
    edit,
    remove(track) {
      const decks = decksPlaying(track.id);
      if (decks.length > 0) setDeleting({ track, decks });
      else void actions.remove(track);
    },
    answerDeletion(isConfirmed) {
      setDeleting(null);
      if (isConfirmed && deleting) void actions.remove(deleting.track);
    },
  };
}
