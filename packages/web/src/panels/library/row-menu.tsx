import { Menu } from '@base-ui/react/menu';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQueryClient } from '@tanstack/react-query';
import { requestLoad } from '../../state/load-request.state.ts';
import { requestMix } from '../../state/mix-requests.state.ts';
import { markPlayed, played, unmarkPlayed } from '../../state/played.state.ts';
import { playerSettings, settingsOf } from '../../state/player-settings.state.ts';
import { isComparable, pickReference } from '../../state/reference.state.ts';
import { goTo } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { mixFileName, vocalMixFiles } from '../../state/vocal-mixes.ts';
import menuStyles from '../../ui/menu.module.css';
import { OfflineNote, useIsOffline } from '../../ui/offline-note.tsx';
import { useStore } from '../../ui/use-store.ts';
import { CrateItems, useDeleteKey } from './crate-items.tsx';
import { anchorOf } from './menu-anchor.ts';
import { fileNameOf, originalAddress, stemsAddress } from './track-files.ts';
import type { MenuAnchor } from './use-row-dialogs.ts';

/** Context menu of a row, shared by all rows; opens at `anchor`. */
export function RowMenu({
  track,
  anchor,
  actions,
  onDelete,
  onEdit,
  onOpen,
  onClose,
}: {
  track: Track;
  anchor: MenuAnchor;
  actions: TrackActions;
  onDelete: (track: Track) => void;
  onEdit: (track: Track) => void;
  onOpen: (track: Track) => void;
  onClose: () => void;
}) {
  const item = menuStyles['item'];
  const client = useQueryClient();
  const settings = useStore(playerSettings, (open) => settingsOf(open, track.id));
  const deleteKey = useDeleteKey();
  const isOffline = useIsOffline();
  const isPlayed = useStore(played, ({ ids }) => ids.has(track.id));
  return (
    <Menu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} {...anchorOf(anchor)} sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label={`Actions for ${track.title}`}>
            <OfflineNote />
            <Menu.Item className={item} onClick={() => onOpen(track)}>
              Open <kbd>Enter</kbd>
            </Menu.Item>
            <Menu.Item className={item} disabled={isOffline} onClick={() => onEdit(track)}>
              Edit <kbd>E</kbd>
            </Menu.Item>
            {track.audio && (
              <>
                <Menu.Item className={item} disabled={isOffline} onClick={() => requestLoad('a', track)}>
                  Load on deck A <kbd>Shift ←</kbd>
                </Menu.Item>
                <Menu.Item className={item} disabled={isOffline} onClick={() => requestLoad('b', track)}>
                  Load on deck B <kbd>Shift →</kbd>
                </Menu.Item>
              </>
            )}
            {track.audio && (
              <Menu.Item
                className={item}
                disabled={isOffline}
                onClick={() => goTo({ tab: 'daw', edited: track.id })}
              >
                Open in editor
              </Menu.Item>
            )}
            {isComparable(track) && (
              <Menu.Item className={item} onClick={() => pickReference(track)}>
                Find tracks that mix well <kbd>F</kbd>
              </Menu.Item>
            )}
            <CrateItems tracks={[track]} />
            <Menu.Item
              className={item}
              onClick={() => (isPlayed ? unmarkPlayed(track.id) : markPlayed(track.id))}
            >
              {isPlayed ? 'Mark as not played' : 'Mark as played'}
            </Menu.Item>
            <Menu.Separator className={menuStyles['separator']} />
            {track.audio && (
              <>
                <Menu.Item className={item} disabled={isOffline} onClick={() => void actions.separate(track)}>
                  Separate into stems
                </Menu.Item>
                <Menu.Item className={item} disabled={isOffline} onClick={() => void actions.analyze(track)}>
                  Analyse
                </Menu.Item>
                <Menu.Separator className={menuStyles['separator']} />
                {vocalMixFiles(settings).map((file) => (
                  <Menu.Item
                    key={mixFileName(file)}
                    className={item}
                    disabled={isOffline}
                    onClick={() => void requestMix(client, track, file)}
                  >
                    {mixFileName(file)}
                  </Menu.Item>
                ))}
              </>
            )}
            {track.audio && !isOffline && (
              <Menu.LinkItem
                className={item}
                href={originalAddress(track)}
                download={fileNameOf(track)}
                closeOnClick
              >
                Download audio
              </Menu.LinkItem>
            )}
            {track.stems_job_id !== null && !isOffline && (
              <Menu.LinkItem className={item} href={stemsAddress(track)} download="" closeOnClick>
                Download stems (ZIP)
              </Menu.LinkItem>
            )}
            <Menu.Separator className={menuStyles['separator']} />
            {track.stems_job_id !== null && (
              <Menu.Item
                className={item}
                data-danger
                disabled={isOffline}
                onClick={() => void actions.removeStems(track)}
              >
                Delete stems
              </Menu.Item>
            )}
            <Menu.Item className={item} data-danger disabled={isOffline} onClick={() => onDelete(track)}>
              Delete <kbd>{deleteKey}</kbd>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
