import { clockText } from '../../../base/format.ts';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton } from '../control-parts.tsx';
import { useDjEngine, useDjState } from '../dj-context.ts';
import styles from './recorder.module.css';
import { RecordingsPopover } from './recordings-popover.tsx';

/**
 * Records the master output: one button of a fixed size that shows the recorded time, and beside it the button of the
 * list of recordings.
 */
export function Recorder() {
  const { status } = useDjEngine();
  const isSounding = useStore(status, (state) => state.isSounding);
  const recording = useDjState((state) => state.recording);
  return (
    <div className={styles['recorder']} role="group" aria-label="Recorder">
      <ControlButton
        control="mixer.record"
        name={recordName(recording === 'on', isSounding)}
        disabled={recording === 'saving' || (recording === 'off' && !isSounding)}
        className={styles['record']}
        isSymbol
      >
        {recording === 'on' ? (
          <RecordedTime />
        ) : (
          <>
            <span className={styles['dot']} /> REC
          </>
        )}
      </ControlButton>
      <RecordingsPopover />
    </div>
  );
}

function RecordedTime() {
  const { decks } = useDjEngine();
  const seconds = useStore(decks.recording, (state) => state.seconds);
  return <span className={styles['time']}>{clockText(seconds)}</span>;
}

function recordName(isRecording: boolean, isSounding: boolean): string {
  if (isRecording) return 'Stop recording';
  return isSounding ? 'Record the mix' : 'Record the mix (only in the window that plays audio)';
}
