import { type CloudStemType, cloudStemTypes, type Engine } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import {
  type SeparationModelName,
  separationModelNames,
  separationModels,
} from '@stem-studio/contract/separation-models';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { workTimeText } from '../../base/separation-text.ts';
import { cloudPriceQuery, cloudQuotaQuery, modelsQuery } from '../../client/queries.ts';
import type { SeparationChoice, TrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CloudChoice } from './cloud-choice.tsx';
import { canPay, submitText } from './cloud-text.ts';
import styles from './separate-dialog.module.css';
import { Option } from './separate-option.tsx';

/** Models of the built-in engine, shown until the list of models has loaded. */
const builtIn = separationModelNames
  .map((name) => ({ name, ...separationModels[name], note: null, speed: null }))
  .filter(({ available }) => available);

/** Choice of engine, model or stems, and preview for a separation, with the price. */
export function SeparateDialog({
  track,
  actions,
  onClose,
}: {
  track: Track;
  actions: TrackActions;
  onClose: () => void;
}) {
  const [engine, setEngine] = useState<Engine>('local');
  const [model, setModel] = useState<SeparationModelName>('hybrid_4');
  const found = useQuery(modelsQuery());
  const models = found.data?.filter(({ available }) => available) ?? builtIn;
  const [stemTypes, setStemTypes] = useState<readonly CloudStemType[]>(cloudStemTypes);
  const [isPreview, setPreview] = useState(false);
  const seconds = track.duration_ms / 1000;
  const price = useQuery(cloudPriceQuery(track.id, stemTypes, isPreview));
  const hasKey = (price.data?.key ?? null) !== null;
  const quota = useQuery({ ...cloudQuotaQuery(), enabled: hasKey && engine === 'cloud' });
  const isReady = engine === 'local' || (stemTypes.length > 0 && canPay(price.data, quota.data));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const choice: SeparationChoice =
      engine === 'local'
        ? { model, preview: isPreview }
        : { engine, stem_types: [...stemTypes], preview: isPreview };
    void actions.separate(track, choice);
    onClose();
  };
  return (
    <Dialog title="Separate into stems" onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <fieldset className={styles['models']}>
          <legend className={styles['legend']}>Engine</legend>
          <Option
            group="engine"
            label="This studio"
            isChosen={engine === 'local'}
            onChoose={() => setEngine('local')}
          >
            Free. Runs on this machine; the stems sum to the song.
          </Option>
          <Option
            group="engine"
            label="Cloud"
            isChosen={engine === 'cloud'}
            isDisabled={!hasKey}
            onChoose={() => setEngine('cloud')}
          >
            Up to ten stems. Uploads the song to the cloud service, which charges minutes per stem.{' '}
            {price.isSuccess && !hasKey && (
              <>
                It requires a licence key: add yours under{' '}
                <a href="/users/settings#cloud">Settings → Connections</a>, or ask the administrator of this
                studio for one.
              </>
            )}
          </Option>
        </fieldset>
        {engine === 'local' ? (
          <fieldset className={styles['models']}>
            <legend className={styles['legend']}>Model</legend>
            {models.map(({ name, label, summary, description, note, speed }) => (
              <Option
                key={name}
                group="model"
                label={label}
                isChosen={model === name}
                onChoose={() => setModel(name)}
                details={`${name}. ${description}`}
              >
                {summary} {workTimeText(speed, isPreview ? Math.min(60, seconds) : seconds)}.
                {note !== null && <> {note[0]?.toUpperCase() + note.slice(1)}.</>}
              </Option>
            ))}
          </fieldset>
        ) : (
          <CloudChoice chosen={stemTypes} onChoose={setStemTypes} price={price} quota={quota} />
        )}
        <Preview isPreview={isPreview} onChange={setPreview} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!isReady}>
            {engine === 'local' ? 'Separate' : submitText(price.data)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Preview({ isPreview, onChange }: { isPreview: boolean; onChange: (isPreview: boolean) => void }) {
  const id = useId();
  return (
    <div className={styles['model']}>
      <input type="checkbox" id={id} checked={isPreview} onChange={(e) => onChange(e.target.checked)} />
      <label htmlFor={id}>Preview: only the first 60 seconds</label>
    </div>
  );
}
