import { useStore } from '../../../ui/use-store.ts';
import { useDjEngine } from '../dj-context.ts';
import { HeadphoneSelect } from './headphone-select.tsx';
import styles from './settings-panel.module.css';

/** Selector of the headphone output, with a sentence about what it lacks. */
export function HeadphoneSettings() {
  const { headphones } = useDjEngine();
  const { isHere, chosen } = useStore(headphones.state, (state) => state);
  return (
    <>
      <HeadphoneSelect />
      <p className={styles['hint']}>{headphoneHint(isHere, chosen)}</p>
    </>
  );
}

function headphoneHint(isHere: boolean, chosen: string | null): string {
  if (!isHere) return 'Select headphones in the window that plays audio.';
  if (chosen === null) return 'PHONES is silent until a second output is selected here.';
  return 'PHONES plays the cued decks on this output.';
}
