import { lazy } from 'react';
import { goTo } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import type { RowDialogs } from './use-row-dialogs.ts';

const RowMenu = lazy(() => import('./row-menu.tsx').then((m) => ({ default: m.RowMenu })));
const DeleteDialog = lazy(() => import('./delete-dialog.tsx').then((m) => ({ default: m.DeleteDialog })));
const EditTrackDialog = lazy(() =>
  import('./edit-track-dialog.tsx').then((m) => ({ default: m.EditTrackDialog })),
);

/** The open menu and dialogs of the library's rows; each is loaded when it is first opened. */
export function RowDialogsView({ dialogs, actions }: { dialogs: RowDialogs; actions: TrackActions }) {
  const { menu, editing, deleting } = dialogs;
  return (
    <>
      {menu && (
        <LazyPart name="The menu" look="popup" onClose={dialogs.closeMenu}>
          <RowMenu
            track={menu.track}
            anchor={menu.anchor}
            actions={actions}
            onDelete={dialogs.remove}
            onEdit={dialogs.edit}
            onOpen={(track) => goTo({ track: track.id })}
            onClose={dialogs.closeMenu}
          />
        </LazyPart>
      )}
      {deleting && (
        <LazyPart name="The question" look="popup" onClose={() => dialogs.answerDeletion(false)}>
          <DeleteDialog {...deleting} onAnswer={dialogs.answerDeletion} />
        </LazyPart>
      )}
      {editing && (
        <LazyPart name="The form" look="popup" onClose={() => dialogs.edit(null)}>
          <EditTrackDialog track={editing} onClose={() => dialogs.edit(null)} />
        </LazyPart>
      )}
    </>
  );
}
