import { Menu } from '@base-ui/react/menu';
import type { Track } from '@stem-studio/contract/resources/track';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';
import type { TrackActions } from './track-actions.ts';

/** What can be done with one track, for those who do not know the keys. */
export function RowMenu({
  track,
  actions,
  onEdit,
  onOpen,
}: {
  track: Track;
  actions: TrackActions;
  onEdit: (track: Track) => void;
  onOpen: () => void;
}) {
  const item = menuStyles['item'];
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        className={buttonClass({ look: 'quiet', small: true }, true)}
        aria-label={`Actions for ${track.title}`}
        tabIndex={-1}
      >
        <Icon name="more" size={18} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']}>
            <Menu.Item className={item} onClick={onOpen}>
              Open <kbd>Enter</kbd>
            </Menu.Item>
            <Menu.Item className={item} onClick={() => onEdit(track)}>
              Edit <kbd>E</kbd>
            </Menu.Item>
            {track.audio && (
              <>
                <Menu.Item className={item} onClick={() => void actions.separate(track)}>
                  Separate into stems
                </Menu.Item>
                <Menu.Item className={item} onClick={() => void actions.analyze(track)}>
                  Analyse
                </Menu.Item>
              </>
            )}
            <Menu.Separator className={menuStyles['separator']} />
            <Menu.Item className={item} data-danger onClick={() => void actions.remove(track)}>
              Delete <kbd>Del</kbd>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
