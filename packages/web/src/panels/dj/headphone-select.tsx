import type { HeadphoneDevice, HeadphoneOutput } from '@stem-studio/audio/booth/headphone-output';
import { useState } from 'react';
import { wordsOf } from '../../client/api-error.ts';
import { toastError } from '../../ui/toast-words.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { useBooth } from './dj-booth.ts';
import styles from './mixer-panel.module.css';

const NONE = 'none';
const MORE = 'more';

/** Where the headphones are heard. What the browser keeps to itself is asked for by "More outputs". */
export function HeadphoneSelect() {
  const booth = useBooth();
  const output = useStore(booth.booth, (state) => state.headphones);
  const [devices, setDevices] = useState<readonly HeadphoneDevice[]>([]);
  const [chosen, setChosen] = useState(NONE);
  const list = async (from: HeadphoneOutput) => setDevices(await from.devices());
  useScope(
    (scope) => {
      setChosen(NONE);
      if (!output) return;
      output.devices().then(
        (found) => !scope.isDisposed && setDevices(found),
        () => setDevices([]),
      );
    },
    [output],
  );
  const choose = async (value: string) => {
    if (!output) return;
    try {
      if (value === MORE) {
        await output.ask();
        await list(output);
        return;
      }
      await output.choose(value === NONE ? null : value);
      setChosen(value);
    } catch (error) {
      setChosen(NONE);
      toastError('The headphones stay silent', wordsOf(error));
    }
  };
  return (
    <select
      className={styles['select']}
      aria-label="Where the headphones are heard"
      title={output ? 'Where the headphones are heard' : 'Headphones can be chosen in the window that sounds'}
      disabled={!output}
      value={chosen}
      onChange={(event) => {
        void choose(event.target.value);
        event.target.blur();
      }}
    >
      <option value={NONE}>no phones</option>
      {devices.map(({ id, label }, index) => (
        <option key={id} value={id}>
          {label || `Output ${index + 1}`}
        </option>
      ))}
      <option value={MORE}>More outputs…</option>
    </select>
  );
}
