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

/** What the rows are compared with; a press puts the library in the order of what fits with it. */
export function FitBar() {
  const state = useStore(references, (all) => all);
  const active = activeReferences(state);
  if (active.length === 0) return null;
  return (
    <div className={styles['bar']} role="group" aria-label="What fits">
      <span className={styles['label']}>Fits with</span>
      {active.map(({ slot, track }) => {
        const facts = [track.camelot, track.bpm === null ? '' : `${bpmText(track.bpm)} BPM`];
        return (
          <Button
            key={slot}
            small
            className={styles['reference']}
            data-slot={slot}
            aria-pressed={state.sortedBy === slot}
            title={state.sortedBy === slot ? 'Back to the order before' : 'What fits best comes first'}
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

/** Follows what becomes of the picked track: its tempo and key may be edited or heard while it is compared with. */
function PickedTrackUpdates({ picked }: { picked: Track }) {
  const { data } = useQuery({ ...trackQuery(picked.id), initialData: picked });
  useEffect(() => renewPicked(data), [data]);
  return null;
}
