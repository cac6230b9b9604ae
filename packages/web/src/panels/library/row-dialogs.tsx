import { goTo } from '../../state/route.state.ts';
import { isLoaded, targetsOf } from '../../state/selection.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { lazy } from '../../ui/lazy.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import type { RowDialogs } from './use-row-dialogs.ts';

const RowMenu = lazy(() => import('./row-menu.tsx').then((m) => ({ default: m.RowMenu })));
const SelectionMenu = lazy(() => import('./selection-menu.tsx').then((m) => ({ default: m.SelectionMenu })));
const DeleteDialog = lazy(() => import('./delete-dialog.tsx').then((m) => ({ default: m.DeleteDialog })));
const EditTrackDialog = lazy(() =>
  import('./edit-track-dialog.tsx').then((m) => ({ default: m.EditTrackDialog })),
);
const EditTracksDialog = lazy(() =>
  import('./edit-tracks-dialog.tsx').then((m) => ({ default: m.EditTracksDialog })),
);

/** The open menu and dialogs of the library's rows; each is loaded when it is first opened. */
export function RowDialogsView({ dialogs, actions }: { dialogs: RowDialogs; actions: TrackActions }) {
  const { menu, editing, deleting } = dialogs;
  const targets = menu ? targetsOf(menu.track) : [];
  const single = editing?.part === 'all' && editing.tracks.length === 1 ? editing.tracks[0] : undefined;
  return (
    <>
      {menu && (
        <LazyPart name="The menu" look="popup" onClose={dialogs.closeMenu}>
          {targets.length > 1 ? (
            <SelectionMenu tracks={targets} anchor={menu.anchor} dialogs={dialogs} />
          ) : (
            <RowMenu
              track={menu.track}
              anchor={menu.anchor}
              actions={actions}
              onDelete={(track) => dialogs.remove([track])}
              onEdit={(track) => dialogs.edit([track])}
              onOpen={(track) => goTo({ track: track.id })}
              onClose={dialogs.closeMenu}
            />
          )}
        </LazyPart>
      )}
      {deleting && (
        <LazyPart name="The question" look="popup" onClose={() => dialogs.answerDeletion(false)}>
          <DeleteDialog {...deleting} onAnswer={dialogs.answerDeletion} />
        </LazyPart>
      )}
      {editing && (
        <LazyPart name="The form" look="popup" onClose={dialogs.closeEdit}>
          {single && isLoaded(single) ? (
            <EditTrackDialog track={single} onClose={dialogs.closeEdit} />
          ) : (
            <EditTracksDialog {...editing} onClose={dialogs.closeEdit} />
          )}
        </LazyPart>
      )}
    </>
  );
}
