import { Menu } from '@base-ui/react/menu';
import type { Cue } from '@stem-studio/contract/resources/cue';
import menuStyles from '../../ui/menu.module.css';
import type { CueActions } from './cue-actions.ts';
import styles from './cue-panel.module.css';
import { colorChoices } from './cue-text.ts';

/** Menu of a cue point, shared by all rows; opens at `anchor`. */
export function CueMenu({
  cue,
  anchor,
  actions,
  onRename,
  onClose,
}: {
  cue: Cue;
  anchor: Element;
  actions: CueActions;
  onRename: () => void;
  onClose: () => void;
}) {
  const item = menuStyles['item'];
  return (
    <Menu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} anchor={anchor} align="end" sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label={`Actions for ${cue.label}`}>
            {cue.source === 'auto' && (
              <Menu.Item className={item} onClick={() => void actions.promote(cue)}>
                Keep as manual
              </Menu.Item>
            )}
            <Menu.Item className={item} onClick={onRename}>
              Rename
            </Menu.Item>
            <Menu.Group className={styles['colors']} aria-label="Colour">
              {colorChoices.map(({ color, name }) => (
                <Menu.Item
                  key={name}
                  className={styles['color']}
                  aria-label={`Colour of ${name}${color === cue.color ? ', selected' : ''}`}
                  title={name}
                  data-chosen={color === cue.color || undefined}
                  onClick={() => void actions.recolor(cue, color)}
                >
                  <span style={{ background: color }} />
                </Menu.Item>
              ))}
            </Menu.Group>
            <Menu.Separator className={menuStyles['separator']} />
            <Menu.Item className={item} data-danger onClick={() => void actions.remove(cue)}>
              Delete
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
