import type { Track } from '@stem-studio/contract/resources/track';
import {
  type SeparationModelName,
  separationModelNames,
  separationModels,
} from '@stem-studio/contract/separation-models';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { TrackActions } from '../library/track-actions.ts';
import styles from './separate-dialog.module.css';

const available = separationModelNames.filter((name) => separationModels[name].available);

/** Which model separates the track, each with what it is and gives, and whether a minute is enough. */
export function SeparateDialog({
  track,
  actions,
  onClose,
}: {
  track: Track;
  actions: TrackActions;
  onClose: () => void;
}) {
  const [model, setModel] = useState<SeparationModelName>('hybrid_4');
  const id = useId();
  const [isPreview, setPreview] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void actions.separate(track, { model, preview: isPreview });
    onClose();
  };
  return (
    <Dialog title="Separate into stems" onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <fieldset className={styles['models']}>
          <legend className={styles['legend']}>Model</legend>
          {available.map((name) => (
            <div key={name} className={styles['model']}>
              <input
                type="radio"
                name="model"
                id={`${id}-${name}`}
                aria-describedby={`${id}-${name}-words`}
                checked={model === name}
                onChange={() => setModel(name)}
              />
              <div>
                <label htmlFor={`${id}-${name}`}>{name}</label>
                <p id={`${id}-${name}-words`} className={styles['description']}>
                  {separationModels[name].description}
                </p>
              </div>
            </div>
          ))}
        </fieldset>
        <div className={styles['model']}>
          <input
            type="checkbox"
            id={`${id}-preview`}
            checked={isPreview}
            onChange={(e) => setPreview(e.target.checked)}
          />
          <label htmlFor={`${id}-preview`}>Only the first 60 seconds, to hear what it gives</label>
        </div>
        <div className={styles['actions']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Separate
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
