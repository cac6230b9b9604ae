import type { Network } from '@stem-studio/contract/resources/network';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { progressText } from '../../ui/job-text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { QuestionDialog } from '../../ui/question-dialog.tsx';
import { LicenceDialog } from './licence-dialog.tsx';
import { failureText, networkState, sizeText, stateText } from './network-text.ts';
import styles from './networks-panel.module.css';
import type { NetworkActions } from './use-network-actions.ts';

/** A network of the catalogue: what it is, its size and licence, its download, and the buttons for it. */
export function NetworkRow({ network, actions }: { network: Network; actions: NetworkActions }) {
  const [dialog, setDialog] = useState<'licence' | 'remove' | null>(null);
  const { title, about, licence, job } = network;
  const state = networkState(network);
  const close = () => setDialog(null);
  return (
    <li className={styles['network']} aria-label={title}>
      <div className={styles['facts']}>
        <h3>{title}</h3>
        <p>{about}</p>
        <p className={styles['small']}>
          {sizeText(network)} · Licence: {licence.name}
          {licence.must_accept && ', to be accepted'}
        </p>
      </div>
      <div className={styles['state']}>
        {state === 'working' && job && (
          <>
            <ProgressBar percent={job.progress} label={`Download of ${title}`} />
            <span>{progressText(job)}</span>
          </>
        )}
        <span data-bad={state !== 'working' && failureText(network) !== ''}>{stateText(network)}</span>
      </div>
      <div className={styles['actions']}>
        {state === 'working' && job && (
          <Button small icon="close" onClick={() => void actions.cancel(job.job_id)}>
            Cancel
          </Button>
        )}
        {state === 'unfinished' && job?.status === 'failed' && (
          <Button small icon="retry" onClick={() => void actions.resume(job.job_id)}>
            Resume
          </Button>
        )}
        {(state === 'available' || (state === 'unfinished' && job === null)) && (
          <Button small icon="download" onClick={() => setDialog('licence')}>
            {state === 'available' ? 'Download' : 'Resume'}
          </Button>
        )}
        {(state === 'installed' || state === 'unfinished') && (
          <Button small icon="trash" onClick={() => setDialog('remove')}>
            Remove
          </Button>
        )}
      </div>
      {dialog === 'licence' && (
        <LicenceDialog
          network={network}
          onClose={close}
          onDownload={(model) => {
            close();
            void actions.download(network, model);
          }}
        />
      )}
      {dialog === 'remove' && (
        <QuestionDialog
          title={`Remove ${title}?`}
          stay="Keep"
          go="Remove"
          onAnswer={(isWanted) => {
            close();
            if (isWanted) void actions.remove(network);
          }}
        >
          {state === 'installed'
            ? 'New separations will use the built-in engine again. Existing stems are kept.'
            : 'The downloaded part will be deleted.'}
        </QuestionDialog>
      )}
    </li>
  );
}
