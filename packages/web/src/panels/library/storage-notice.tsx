import { byteText } from '@stem-studio/contract/byte-text';
import type { Usage } from '@stem-studio/contract/resources/usage';
import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../client/queries.ts';
import { goTo, route } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useStore } from '../../ui/use-store.ts';
import { quotaWarning } from './quota-warning.ts';
import styles from './storage-notice.module.css';

/**
 * A warning above the library when a quota is nearly used up. Hidden on the DJ tab, where rows must not move during a
 * set.
 */
export function StorageNotice({ actions }: { actions: TrackActions }) {
  const { data } = useQuery(usageQuery());
  const text = data ? quotaWarning(data satisfies Usage) : null;
  const isBelowDecks = useStore(route, ({ tab }) => tab === 'dj');
  if (!data || text === null || isBelowDecks) return null;
  return (
    <div className={styles['line']} role="status">
      <Icon name="warning" size={16} />
      <span className={styles['text']}>
        {text} <a href="/users/settings#storage">Details</a>
      </span>
      {data.deleted.tracks > 0 && (
        <>
          <Button small onClick={() => goTo({ tab: 'trash', isTall: false })}>
            Show the trash
          </Button>
          <Button small onClick={() => void actions.freeSpace()}>
            Empty the trash ({byteText(data.deleted.bytes)})
          </Button>
        </>
      )}
    </div>
  );
}
