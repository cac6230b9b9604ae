import { crossfaderCurves } from '@stem-studio/contract/resources/deck-session';
import { Select } from '../../../ui/select.tsx';
import { useControl } from '../dj-context.ts';
import styles from './settings-panel.module.css';

/** Selector of the crossfader's curve. */
export function CrossfaderSettings() {
  const { control: curve, value: curveIndex } = useControl('mixer.crossfader_curve');
  return (
    <Select
      className={styles['select']}
      label="Crossfader curve"
      value={crossfaderCurves[curveIndex] ?? crossfaderCurves[0]}
      options={crossfaderCurves.map((name) => ({ value: name, label: name }))}
      onChange={(name) => curve.set(crossfaderCurves.indexOf(name))}
    />
  );
}
