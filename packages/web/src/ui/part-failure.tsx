import { isFailedLoad } from '../client/load-failure.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './part-failure.module.css';

/** Where a failure is told: in the part's own place, or over the page where the part would have popped up. */
export type PartLook = 'place' | 'popup';

/** Says that a part of the page is missing or broke, and what to do. */
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
        title={isMissing ? 'The studio was updated' : `${name} has stopped`}
        isError
        actions={
          <>
            <Button look="primary" icon="retry" onClick={() => location.reload()}>
              Reload
            </Button>
            {!isMissing && <Button onClick={onAgain}>Try again</Button>}
            {onClose && <Button onClick={onClose}>Close</Button>}
          </>
        }
      >
        {isMissing
          ? `${name} belongs to a version that is no longer there, or the studio could not be reached. Nothing was lost: reload the page.`
          : `Nothing was lost; what was sent before is kept. (${error instanceof Error ? error.message : String(error)})`}
      </Notice>
    </div>
  );
}
