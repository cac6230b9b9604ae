import { useState } from 'react';
import { bytesText } from '../../base/format.ts';
import { goTo } from '../../state/route.state.ts';
import type { Upload, Uploads } from '../../state/uploads.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useStore } from '../../ui/use-store.ts';
import { TransferRow } from './transfer-row.tsx';
import styles from './transfers.module.css';
import { countUploads, uploadsText } from './upload-text.ts';

/** Series of uploads in one line: total, done, failed, time left and `Cancel all`; its list opens on failures. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const { uploads: list, secondsLeft } = useStore(uploads.store, (state) => state);
  const [choice, setChoice] = useState<boolean | null>(null);
  if (list.length === 0) return null;
  const counts = countUploads(list);
  const isOpen = choice ?? counts.failed > 0;
  const clear = () => {
    setChoice(null);
    for (const upload of list) uploads.dismiss(upload.id);
  };
  return (
    <section className={styles['transfers']} aria-label="Uploads">
      <TransferRow
        name="uploads"
        text={uploadsText(counts, secondsLeft)}
        percent={counts.open > 0 ? counts.percent : null}
        isOpen={isOpen}
        onToggle={() => setChoice(!isOpen)}
      >
        {counts.open > 0 ? (
          <Button small onClick={() => uploads.cancelAll()}>
            Cancel all
          </Button>
        ) : (
          <Button small look="quiet" onClick={clear}>
            Clear
          </Button>
        )}
      </TransferRow>
      {isOpen && (
        <ul className={styles['list']}>
          {list.map((upload) => (
            <UploadLine key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
    </section>
  );
}

function UploadLine({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { id, name, bytes, sent, status, error, isKnown, isProject, trackId } = upload;
  const isOpen = status === 'waiting' || status === 'sending';
  return (
    <li className={styles['line']} data-status={status}>
      <span className={styles['name']} title={name}>
        {name}
      </span>
      <span className={styles['state']} role={error === '' ? undefined : 'alert'}>
        {status === 'sending' && (
          <>
            <ProgressBar percent={bytes > 0 ? (sent / bytes) * 100 : 0} label={`Upload of ${name}`} />
            <span className={styles['figures']}>
              {sent < bytes ? `${bytesText(sent)} of ${bytesText(bytes)}` : 'Processing…'}
            </span>
          </>
        )}
        {status === 'waiting' && `Queued · ${bytesText(bytes)}`}
        {status === 'accepted' && (
          <>
            <Icon name="check" size={16} /> {isKnown ? 'Already in the library' : 'In the library'}
          </>
        )}
        {status === 'cancelled' && 'Cancelled'}
        {error}
      </span>
      <span className={styles['actions']}>
        {isOpen ? (
          <IconButton
            small
            icon="close"
            label={`Cancel upload of ${name}`}
            onClick={() => uploads.cancel(id)}
          />
        ) : (
          <>
            {isProject && (
              <Button small onClick={() => goTo({ tab: 'daw', edited: trackId })}>
                Open in editor
              </Button>
            )}
            {(status === 'failed' || status === 'cancelled') && (
              <IconButton
                small
                icon="retry"
                label={`Retry upload of ${name}`}
                onClick={() => uploads.retry(id)}
              />
            )}
            <IconButton
              small
              icon="close"
              label={`Remove ${name} from list`}
              onClick={() => uploads.dismiss(id)}
            />
          </>
        )}
      </span>
    </li>
  );
}
