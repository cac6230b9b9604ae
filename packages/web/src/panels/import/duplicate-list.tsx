import { duplicates, settleDuplicates } from '../../client/duplicates.ts';
import { goTo } from '../../state/route.state.ts';
import { useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './transfers.module.css';

/** Uploaded and imported tracks whose recording the library had already, with what to do about each. */
export function DuplicateList() {
  const found = useStore(duplicates, (state) => state.found);
  const actions = useTrackActions();
  if (found.length === 0) return null;
  return (
    <section className={styles['transfers']} aria-label="Already in the library">
      {found.length > 1 && (
        <div className={styles['known']}>
          <p role="status">{found.length} new tracks are recordings that the library had already.</p>
          <Button small onClick={() => settleDuplicates(found.map(({ track_id }) => track_id))}>
            Keep all
          </Button>
        </div>
      )}
      <ul className={styles['list']}>
        {found.map(({ track_id, title, existing }) => (
          <li key={track_id} className={styles['known']}>
            <p role={found.length === 1 ? 'status' : undefined}>
              “{title}” is in the library already: “{existing.title}”
              {existing.artist === '' ? '' : ` by ${existing.artist}`}.
            </p>
            <span className={styles['actions']}>
              <Button small onClick={() => goTo({ tab: 'library', track: existing.track_id })}>
                Open it
              </Button>
              <Button small onClick={() => settleDuplicates([track_id])}>
                Keep both
              </Button>
              <Button
                small
                onClick={() => {
                  settleDuplicates([track_id]);
                  void actions.remove({ id: track_id, title });
                }}
              >
                Delete the new one
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
