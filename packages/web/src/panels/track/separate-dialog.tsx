import type { Track } from '@stem-studio/contract/resources/track';
import {
  type SeparationModelName,
  separationModelNames,
  separationModels,
} from '@stem-studio/contract/separation-models';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { modelsQuery } from '../../client/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { TrackActions } from '../library/track-actions.ts';
import styles from './separate-dialog.module.css';

/** What the built-in engine serves: shown until the service has said what it can do. */
const builtIn = separationModelNames
  .map((name) => ({ name, ...separationModels[name], note: null }))
  .filter(({ available }) => available);

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
  const found = useQuery(modelsQuery());
  const models = found.data?.filter(({ available }) => available) ?? builtIn;
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
          {models.map(({ name, description, note }) => (
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
                  {description}
                  {note !== null && <> {note[0]?.toUpperCase() + note.slice(1)}.</>}
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
