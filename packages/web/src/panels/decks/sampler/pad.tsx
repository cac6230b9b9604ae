import type { PadNumber } from '@stem-studio/contract/sampler-controls';
import { type DragEvent, useState } from 'react';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton } from '../control-parts.tsx';
import { useDjEngine } from '../dj-context.ts';
import { padKeys } from '../dj-keys.ts';
import { fillFromFile } from './fill-from-file.ts';
import { PadMenu } from './pad-menu.tsx';
import { padText } from './pad-text.ts';
import styles from './sampler-panel.module.css';

/** One pad: it plays when it is pressed, takes a dropped audio file, and opens its settings. */
export function Pad({ number }: { number: PadNumber }) {
  const { sampler } = useDjEngine();
  const index = Number(number) - 1;
  const view = useStore(sampler.state, ({ pads }) => pads[index]);
  const isHere = useStore(sampler.state, (state) => state.isHere);
  const [isOver, setIsOver] = useState(false);
  if (!view) return null;
  const { settings, state } = view;
  const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return (
    <div
      className={styles['cell']}
      data-state={state}
      data-over={isOver}
      style={{ ['--pad' as string]: settings.color }}
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        const file = event.dataTransfer.files[0];
        if (!file) return;
        event.preventDefault();
        event.stopPropagation();
        void fillFromFile(sampler, index, file);
      }}
    >
      <ControlButton
        control={`sampler.${number}.trigger`}
        shift={`sampler.${number}.stop`}
        name={`Pad ${number}: ${settings.name}`}
        hint={isHere ? (padKeys[index] ?? '') : 'plays in the window with the audio'}
        look="pad"
        color={state === 'playing' ? settings.color : undefined}
        disabled={!isHere}
        className={styles['pad']}
      >
        <span className={styles['name']}>{settings.name}</span>
        <span className={styles['how']}>{padText(settings)}</span>
      </ControlButton>
      <PadMenu index={index} />
    </div>
  );
}
