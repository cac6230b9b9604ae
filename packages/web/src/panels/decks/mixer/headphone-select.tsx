import { useStore } from '../../../ui/use-store.ts';
import { useDjEngine } from '../dj-context.ts';
import styles from './mixer-panel.module.css';

const NONE = 'none';
const MORE = 'more';

/** Selector of the headphone output. "More outputs" requests the browser's permission for further devices. */
export function HeadphoneSelect() {
  const { headphones } = useDjEngine();
  const { isHere, devices, chosen } = useStore(headphones.state, (state) => state);
  return (
    <select
      className={styles['select']}
      aria-label="Headphone output"
      title={isHere ? 'Headphone output' : 'Select headphones in the window that plays audio'}
      disabled={!isHere}
      value={chosen ?? NONE}
      onChange={({ target }) => {
        if (target.value === MORE) void headphones.askForMore();
        else void headphones.choose(target.value === NONE ? null : target.value);
        target.blur();
      }}
    >
      <option value={NONE}>None</option>
      {devices.map(({ id, label }, index) => (
        <option key={id} value={id}>
          {label || `Output ${index + 1}`}
        </option>
      ))}
      <option value={MORE}>More outputs…</option>
    </select>
  );
}
