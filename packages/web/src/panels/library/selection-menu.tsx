import { Menu } from '@base-ui/react/menu';
import { countText } from '../../base/format.ts';
import { useBatchActions } from '../../state/batch-actions.ts';
import { markPlayed } from '../../state/played.state.ts';
import type { SelectedTrack } from '../../state/selection.state.ts';
import menuStyles from '../../ui/menu.module.css';
import { OfflineNote, useIsOffline } from '../../ui/offline-note.tsx';
import { CrateItems, useDeleteKey } from './crate-items.tsx';
import { anchorOf } from './menu-anchor.ts';
import { downloadFiles } from './track-files.ts';
import type { MenuAnchor, RowDialogs } from './use-row-dialogs.ts';

/** Context menu of several selected tracks; opens at `anchor`. */
export function SelectionMenu({
  tracks,
  anchor,
  dialogs,
}: {
  tracks: readonly SelectedTrack[];
  anchor: MenuAnchor;
  dialogs: RowDialogs;
}) {
  const batch = useBatchActions();
  const isOffline = useIsOffline();
  const deleteKey = useDeleteKey();
  const item = menuStyles['item'];
  const separator = <Menu.Separator className={menuStyles['separator']} />;
  const count = countText(tracks.length, 'track');
  return (
    <Menu.Root open modal={false} onOpenChange={(open) => !open && dialogs.closeMenu()}>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} {...anchorOf(anchor)} sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label={`Actions for ${count}`}>
            <OfflineNote />
            <Menu.Item className={item} disabled={isOffline} onClick={() => dialogs.edit(tracks)}>
              Edit {count} <kbd>E</kbd>
            </Menu.Item>
            <Menu.Item className={item} disabled={isOffline} onClick={() => dialogs.edit(tracks, 'tags')}>
              Tag
            </Menu.Item>
            <CrateItems tracks={tracks} />
            <Menu.Item className={item} onClick={() => tracks.forEach(({ id }) => markPlayed(id))}>
              Mark as played
            </Menu.Item>
            {separator}
            <Menu.Item className={item} disabled={isOffline} onClick={() => void batch.separate(tracks)}>
              Separate into stems
            </Menu.Item>
            <Menu.Item className={item} disabled={isOffline} onClick={() => void batch.analyze(tracks)}>
              Analyse
            </Menu.Item>
            {separator}
            <Menu.Item
              className={item}
              disabled={isOffline}
              onClick={() => void downloadFiles(tracks, 'audio')}
            >
              Download audio
            </Menu.Item>
            <Menu.Item
              className={item}
              disabled={isOffline}
              onClick={() => void downloadFiles(tracks, 'stems')}
            >
              Download stems (ZIP)
            </Menu.Item>
            {separator}
            <Menu.Item
              className={item}
              data-danger
              disabled={isOffline}
              onClick={() => dialogs.remove(tracks)}
            >
              Delete {count} <kbd>{deleteKey}</kbd>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
