import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../client/api-error.ts';
import { networksQuery } from '../../client/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NetworkRow } from './network-row.tsx';
import styles from './networks-panel.module.css';
import { useNetworkActions } from './use-network-actions.ts';

/** Separation networks that an admin can download: size, licence, progress, and what is installed. */
export function NetworksPanel() {
  const networks = useQuery(networksQuery());
  const actions = useNetworkActions();
  if (networks.isError && !networks.data)
    return (
      <Notice
        icon="warning"
        title="The networks could not be loaded"
        isError
        actions={<Button onClick={() => void networks.refetch()}>Retry</Button>}
      >
        {errorText(networks.error)}
      </Notice>
    );
  return (
    <section className={styles['panel']} aria-label="Separation networks" aria-busy={networks.isPending}>
      <h2>Separation networks</h2>
      <p className={styles['intro']}>
        These networks are optional: the built-in engine works without them. An installed network replaces it
        for the chosen model, for all users of this studio. Nothing is downloaded until you press Download.
      </p>
      <ul>
        {networks.data?.map((network) => (
          <NetworkRow key={network.name} network={network} actions={actions} />
        ))}
      </ul>
    </section>
  );
}
