import { bytesText, countText } from '../../base/format.ts';
import type { Upload, Uploads } from '../../state/uploads.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './upload-list.module.css';

/** Running, finished and failed uploads. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const list = useStore(uploads.store, (state) => state.uploads);
  if (list.length === 0) return null;
  const open = list.filter((upload) => upload.status === 'waiting' || upload.status === 'sending').length;
  return (
    <section className={styles['uploads']} aria-label="Uploads">
      <div className={styles['head']}>
        <h2>{open > 0 ? `Uploading ${countText(open, 'file')}` : 'Uploads'}</h2>
        {open < list.length && (
          <Button
            look="quiet"
            small
            onClick={() => {
              for (const upload of list) uploads.dismiss(upload.id);
            }}
          >
            Clear
          </Button>
        )}
      </div>
      <ul className={styles['list']}>
        {list.map((upload) => (
          <UploadLine key={upload.id} upload={upload} uploads={uploads} />
        ))}
      </ul>
    </section>
  );
}

function UploadLine({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { id, name, bytes, sent, status, error } = upload;
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
            <span className={styles['bytes']}>
              {sent < bytes ? `${bytesText(sent)} of ${bytesText(bytes)}` : 'Processing…'}
            </span>
          </>
        )}
        {status === 'waiting' && `Queued · ${bytesText(bytes)}`}
        {status === 'accepted' && (
          <>
            <Icon name="check" size={16} /> In the library
          </>
        )}
        {status === 'cancelled' && 'Cancelled'}
        {error}
      </span>
      {isOpen ? (
        <IconButton
          small
          icon="close"
          label={`Cancel upload of ${name}`}
          onClick={() => uploads.cancel(id)}
        />
      ) : (
        <span className={styles['actions']}>
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
        </span>
      )}
    </li>
  );
}
