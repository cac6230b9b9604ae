import { Button, IconButton } from '../../ui/button.tsx';
import { bpmText } from '../../ui/format.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './fit-bar.module.css';
import { activeReferences, pickReference, references, sortByFit } from './reference.state.ts';

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
        <IconButton small icon="close" label="Stop comparing" onClick={() => pickReference(null)} />
      )}
    </div>
  );
}
