import { useEffect, useRef } from 'react';
import { isFailedLoad } from '../client/load-failure.ts';
import { serviceReach } from '../client/service-reach.ts';
import { leaving } from '../state/leaving.state.ts';
import { Button } from './button.tsx';
import { resetFailedParts } from './lazy.ts';
import { Notice } from './notice.tsx';
import styles from './part-failure.module.css';
import { useStore } from './use-store.ts';

/** Where a failure is shown: instead of the part, or over the page for a popup. */
export type PartLook = 'inline' | 'popup';

/**
 * Shows that a part of the page failed to load or threw an error, with a button. A part that was not loaded is tried
 * again when the service is back. A reload is offered only while it would stop nothing.
 */
export function PartFailure({
  name,
  look,
  error,
  onAgain,
  onClose,
}: {
  name: string;
  look: PartLook;
  error: unknown;
  onAgain: () => void;
  onClose?: (() => void) | undefined;
}) {
  const isMissing = isFailedLoad(error);
  const isReachable = useStore(serviceReach, (state) => state.isReachable);
  const isAtStake = useStore(leaving, (state) => state.isAtStake);
  const wasReachable = useRef(isReachable);
  const retry = () => {
    resetFailedParts();
    onAgain();
  };
  useEffect(() => {
    if (isMissing && isReachable && !wasReachable.current) retry();
    wasReachable.current = isReachable;
  });
  return (
    <div className={styles[look]}>
      <Notice
        icon="warning"
        title={titleOf(name, isMissing, isReachable)}
        isError
        actions={
          <>
            <Button look="primary" icon="retry" onClick={retry}>
              Retry
            </Button>
            {isReachable && !isAtStake && <Button onClick={() => location.reload()}>Reload</Button>}
            {onClose && <Button onClick={onClose}>Close</Button>}
          </>
        }
      >
        {isMissing
          ? missingText(name, isReachable, isAtStake)
          : `Nothing was lost. (${error instanceof Error ? error.message : String(error)})`}
      </Notice>
    </div>
  );
}

function titleOf(name: string, isMissing: boolean, isReachable: boolean): string {
  if (!isMissing) return `${name} stopped working`;
  return isReachable ? 'The studio was updated' : 'The studio is not reachable';
}

function missingText(name: string, isReachable: boolean, isAtStake: boolean): string {
  if (!isReachable) return `${name} opens when the studio is back. Nothing was lost.`;
  if (isAtStake) return `${name} belongs to another version of the page. Playback and recording continue.`;
  return `${name} belongs to another version of the page. Nothing was lost.`;
}
