import { useStore } from '../../../ui/use-store.ts';
import controlStyles from '../control-parts.module.css';
import { useDjEngine } from '../dj-context.ts';
import styles from './mixer-panel.module.css';

/** Name of the headphone output, or that there is none, on a button that opens its settings. */
export function HeadphoneState() {
  const { headphones, state } = useDjEngine();
  const { isHere, devices, chosen } = useStore(headphones.state, (now) => now);
  const at = devices.findIndex(({ id }) => id === chosen);
  const label = devices[at]?.label || `Output ${at + 1}`;
  const text = !isHere ? 'Other window' : chosen === null ? 'No output' : label;
  const title = !isHere
    ? 'The headphones belong to the window that plays audio'
    : chosen === null
      ? 'No headphone output: PHONES is silent. Click to select one'
      : `Headphone output: ${label}`;
  return (
    <button
      type="button"
      className={`${controlStyles['button']} ${controlStyles['small']} ${styles['output']}`}
      data-missing={isHere && chosen === null}
      data-settings-button
      title={title}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => state.setState({ openSettings: 'headphones' })}
    >
      <span className="visually-hidden">Headphones: </span>
      <span className={styles['device']}>{text}</span>
    </button>
  );
}
