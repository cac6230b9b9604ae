import type { Track } from '@stem-studio/contract/resources/track';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { bpmText } from '../../base/format.ts';
import { trackQuery } from '../../client/queries.ts';
import {
  activeReferences,
  pickReference,
  references,
  renewPicked,
  sortByFit,
} from '../../state/reference.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './fit-bar.module.css';

/** The tracks that the rows are compared with; pressing one sorts the library by fit with it. */
export function FitBar() {
  const state = useStore(references, (all) => all);
  const active = activeReferences(state);
  if (active.length === 0) return null;
  return (
    <div className={styles['bar']} role="group" aria-label="Compare">
      <span className={styles['label']}>Mixes well with</span>
      {active.map(({ slot, track }) => {
        const facts = [track.camelot, track.bpm === null ? '' : `${bpmText(track.bpm)} BPM`];
        return (
          <Button
            key={slot}
            small
            className={styles['reference']}
            data-slot={slot}
            aria-pressed={state.sortedBy === slot}
            title={state.sortedBy === slot ? 'Restore order' : 'Best match first'}
            onClick={() => sortByFit(state.sortedBy === slot ? null : slot)}
          >
            {slot !== 'picked' && <strong>{slot.toUpperCase()}</strong>}
            <span className={styles['title']}>{track.title}</span>
            <span className={styles['facts']}>{facts.filter((fact) => fact !== '').join(' · ')}</span>
          </Button>
        );
      })}
      {state.picked && (
        <>
          <IconButton small icon="close" label="Stop comparing" onClick={() => pickReference(null)} />
          <PickedTrackUpdates key={state.picked.id} picked={state.picked} />
        </>
      )}
    </div>
  );
}

/** Keeps the picked track up to date while its tempo or key is edited or detected. */
function PickedTrackUpdates({ picked }: { picked: Track }) {
  const { data } = useQuery({ ...trackQuery(picked.id), initialData: picked });
  useEffect(() => renewPicked(data), [data]);
  return null;
}
