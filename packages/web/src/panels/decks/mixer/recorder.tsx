import { Popover } from '@base-ui/react/popover';
import { useRef } from 'react';
import { bytesText, clockText } from '../../../base/format.ts';
import type { MixRecording } from '../../../state/decks/dj-state.ts';
import { markSaved, requestDiscard, resolveDiscard } from '../../../state/decks/recording.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { QuestionDialog } from '../../../ui/question-dialog.tsx';
import { useScope } from '../../../ui/use-scope.ts';
import { useStore } from '../../../ui/use-store.ts';
import controlStyles from '../control-parts.module.css';
import { ControlButton } from '../control-parts.tsx';
import { useDjEngine, useDjState } from '../dj-context.ts';
import styles from './recorder.module.css';

/** Records the master output, and lists the recordings until they are saved or discarded. */
export function Recorder() {
  const { status } = useDjEngine();
  const isSounding = useStore(status, (state) => state.isSounding);
  const recording = useDjState((state) => state.recording);
  const recordings = useDjState((state) => state.recordings);
  const error = useDjState((state) => state.recordingError);
  const newest = recordings.at(-1);
  return (
    <div className={styles['recorder']} role="group" aria-label="Recorder">
      <ControlButton
        control="mixer.record"
        name={recordName(recording === 'on', isSounding)}
        disabled={recording === 'saving' || (recording === 'off' && !isSounding)}
        className={styles['record']}
      >
        <span className={styles['dot']} /> REC
      </ControlButton>
      {recording === 'on' && <RecordedTime />}
      {recording === 'off' && newest && <SaveLink recording={newest} label="Save WAV" />}
      {newest && <KeptList />}
      {recording === 'off' && error !== '' && (
        <span className={styles['error']} role="alert" title={error}>
          Not recorded
        </span>
      )}
      <DiscardQuestion />
    </div>
  );
}

function RecordedTime() {
  const time = useRef<HTMLSpanElement>(null);
  useScope((scope) => {
    let seconds = 0;
    scope.every(1000, () => {
      seconds++;
      if (time.current) time.current.textContent = clockText(seconds);
    });
  }, []);
  return (
    <span ref={time} className={styles['time']}>
      0:00
    </span>
  );
}

function SaveLink({
  recording,
  label,
  name,
  look = styles['saved'],
}: {
  recording: MixRecording;
  label: string;
  name?: string;
  look?: string | undefined;
}) {
  const engine = useDjEngine();
  const { number, address, bytes } = recording;
  return (
    <a
      className={look}
      href={address}
      download={number === 1 ? 'stem-studio-mix.wav' : `stem-studio-mix-${number}.wav`}
      aria-label={name}
      onClick={() => markSaved(engine, recording)}
      title={`Save recording ${number} (WAV, ${bytesText(bytes)})`}
    >
      {label}
    </a>
  );
}

/** List of the recordings, each with buttons to save and to discard it. */
function KeptList() {
  const engine = useDjEngine();
  const recordings = useDjState((state) => state.recordings);
  const unsaved = recordings.filter(({ isSaved }) => !isSaved).length;
  return (
    <Popover.Root>
      <Popover.Trigger
        className={`${controlStyles['button']} ${controlStyles['small']}`}
        aria-label={`Recordings: ${recordings.length}, not saved: ${unsaved}`}
        title="Save or discard recordings"
      >
        {recordings.length} ▾
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles['positioner']} sideOffset={4}>
          <Popover.Popup className={styles['popup']}>
            <Popover.Title className={styles['title']}>Recordings</Popover.Title>
            <ul className={styles['list']}>
              {recordings.map((recording) => (
                <li key={recording.number}>
                  <span className={styles['which']}>
                    {recording.number} · {clockText(recording.seconds)} · {bytesText(recording.bytes)}
                    <span className={styles['fate']}>{recording.isSaved ? 'saved' : 'not saved yet'}</span>
                  </span>
                  <SaveLink
                    recording={recording}
                    label="Save"
                    name={`Save recording ${recording.number}`}
                    look={buttonClass({ small: true })}
                  />
                  <Button
                    small
                    icon="trash"
                    aria-label={`Discard recording ${recording.number}`}
                    title="Discard"
                    onClick={() => requestDiscard(engine, recording)}
                  />
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function DiscardQuestion() {
  const engine = useDjEngine();
  const question = useDjState((state) => state.pendingDiscard);
  return (
    question && (
      <QuestionDialog
        title={`Recording ${question.number} is not saved`}
        stay="Keep recording"
        go="Discard"
        onAnswer={(isWanted) => resolveDiscard(engine, isWanted)}
      >
        {clockText(question.seconds)} of your mix exists only in this page and cannot be restored once
        discarded.
      </QuestionDialog>
    )
  );
}

function recordName(isRecording: boolean, isSounding: boolean): string {
  if (isRecording) return 'Stop recording';
  return isSounding ? 'Record the mix' : 'Record the mix (only in the window that plays audio)';
}
