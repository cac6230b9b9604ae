import type { Network } from '@stem-studio/contract/resources/network';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select.tsx';
import { sizeText } from './network-text.ts';
import styles from './networks-panel.module.css';

/** Terms of a network, the model that it serves, and the button that downloads it. */
export function LicenceDialog({
  network,
  onDownload,
  onClose,
}: {
  network: Network;
  onDownload: (model: SeparationModelName) => void;
  onClose: () => void;
}) {
  const { title, licence, serves } = network;
  const [isAccepted, setAccepted] = useState(!licence.must_accept);
  const [model, setModel] = useState(serves[0] as SeparationModelName);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          onDownload(model);
        }}
      >
        <div className={styles['terms']}>
          <h3>Licence: {licence.name}</h3>
          <p>{licence.notice}</p>
          <a href={licence.url} target="_blank" rel="noreferrer">
            {new URL(licence.url).host}
          </a>
        </div>
        {serves.length > 1 ? (
          <SelectField
            label="For the model"
            value={model}
            options={serves.map((name) => ({ value: name, label: name }))}
            onChange={setModel}
          />
        ) : (
          <p className={styles['choice']}>For the model {model}</p>
        )}
        {licence.must_accept && (
          <label className={styles['accept']}>
            <input
              type="checkbox"
              checked={isAccepted}
              onChange={(event) => setAccepted(event.target.checked)}
            />
            I accept these terms
          </label>
        )}
        <div className={styles['answers']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" icon="download" disabled={!isAccepted}>
            Download {sizeText(network)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
