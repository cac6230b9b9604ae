import { Select } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { useDjEngine } from '../dj-context.ts';
import styles from './settings-panel.module.css';

const NONE = 'none';
const MORE = 'more';

/** Selector of the headphone output. "More outputs" requests the browser's permission for further devices. */
export function HeadphoneSelect() {
  const { headphones } = useDjEngine();
  const { isHere, devices, chosen } = useStore(headphones.state, (state) => state);
  return (
    <Select
      className={styles['select']}
      label="Headphone output"
      title={isHere ? 'Headphone output' : 'Select headphones in the window that plays audio'}
      disabled={!isHere}
      value={chosen ?? NONE}
      options={[
        { value: NONE, label: 'None' },
        ...devices.map(({ id, label }, index) => ({ value: id, label: label || `Output ${index + 1}` })),
        { value: MORE, label: 'More outputs…' },
      ]}
      onChange={(id) => {
        if (id === MORE) void headphones.askForMore();
        else void headphones.choose(id === NONE ? null : id);
      }}
    />
  );
}
