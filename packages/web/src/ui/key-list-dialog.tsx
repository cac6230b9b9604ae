import { Dialog } from './dialog.tsx';
import styles from './key-list-dialog.module.css';

/** Keyboard shortcuts of one part of the page. */
interface KeyGroup {
  name: string;
  keys: readonly { keys: string; does: string }[];
}

/** A dialog that lists keyboard shortcuts by part of the page. */
export function KeyListDialog({ groups, onClose }: { groups: readonly KeyGroup[]; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {groups.map(({ name, keys }) => (
        <section key={name} className={styles['group']} aria-label={name}>
          <h3 className={styles['head']}>{name}</h3>
          <dl className={styles['list']}>
            {keys.map(({ keys: names, does }) => (
              <div key={names}>
                <dt>
                  <kbd>{names}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
