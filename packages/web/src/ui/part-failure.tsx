import { isFailedLoad } from '../client/load-failure.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './part-failure.module.css';

/** Where a failure is shown: instead of the part, or over the page for a popup. */
export type PartLook = 'inline' | 'popup';

/** Shows that a part of the page failed to load or threw an error, with a button. */
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
  return (
    <div className={styles[look]}>
      <Notice
        icon="warning"
        title={isMissing ? 'The studio was updated' : `${name} stopped working`}
        isError
        actions={
          <>
            <Button look="primary" icon="retry" onClick={() => location.reload()}>
              Reload
            </Button>
            {!isMissing && <Button onClick={onAgain}>Retry</Button>}
            {onClose && <Button onClick={onClose}>Close</Button>}
          </>
        }
      >
        {isMissing
          ? `${name} could not be loaded: the studio was updated or is unreachable. Nothing was lost; reload the page.`
          : `Nothing was lost. (${error instanceof Error ? error.message : String(error)})`}
      </Notice>
    </div>
  );
}
