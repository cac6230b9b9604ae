import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import { clockText } from '../../../base/format.ts';
import { recordingSpaceText } from '../../../client/recordings/recording-space.ts';
import type { MixRecording } from '../../../state/decks/dj-state.ts';
import {
  markSaved,
  recordingProblemText,
  requestDiscard,
  resolveDiscard,
} from '../../../state/decks/recording.ts';
import { showStoredRecordings, storedRecordings } from '../../../state/stored-recordings.state.ts';
import { Button } from '../../../ui/button.tsx';
import { QuestionDialog } from '../../../ui/question-dialog.tsx';
import { RecordingEntry } from '../../../ui/recording-entry.tsx';
import { useScope } from '../../../ui/use-scope.ts';
import { useStore } from '../../../ui/use-store.ts';
import { useDjEngine, useDjState } from '../dj-context.ts';
import { usePopupPosition } from '../lower/use-popup-position.ts';
import popupStyles from '../popup.module.css';
import styles from './recorder.module.css';

/** List of the recordings, each with buttons to save and to discard it, and what to know about the running one. */
export function RecordingsPopover() {
  const recordings = useDjState((state) => state.recordings);
  const error = useDjState((state) => state.recordingError);
  const { decks } = useDjEngine();
  const problem = useStore(decks.recording, (state) => state.problem);
  const unsaved = recordings.filter(({ isSaved }) => !isSaved).length;
  const popup = usePopupPosition();
  const hasProblem = error !== '' || problem !== null;
  return (
    <>
      <Popover.Root>
        <Popover.Trigger
          className={styles['list-button']}
          aria-label={`Recordings: ${recordings.length}, not saved: ${unsaved}${hasProblem ? ', problem' : ''}`}
          title="Recordings"
          data-problem={hasProblem}
        >
          {hasProblem ? '!' : recordings.length > 0 ? recordings.length : '▾'}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner className={popupStyles['positioner']} sideOffset={4} {...popup}>
            <Popover.Popup className={popupStyles['popup']}>
              <Popover.Title className={popupStyles['title']}>Recordings</Popover.Title>
              <Content recordings={recordings} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      <DiscardQuestion />
    </>
  );
}

function Content({ recordings }: { recordings: readonly MixRecording[] }) {
  const engine = useDjEngine();
  const error = useDjState((state) => state.recordingError);
  const problem = useStore(engine.decks.recording, (state) => state.problem);
  const earlier = useStore(storedRecordings, (state) => state.recordings.length);
  const text = error !== '' ? error : problem ? recordingProblemText(problem) : '';
  return (
    <>
      {text !== '' && (
        <p className={styles['error']} role="alert">
          {text}
        </p>
      )}
      <ul className={styles['list']}>
        {recordings.toReversed().map((recording, index) => (
          <RecordingEntry
            key={recording.number}
            name={`recording ${recording.number}`}
            title={`${recording.number} · ${clockText(recording.seconds)}`}
            fileName={recording.number === 1 ? 'stem-studio-mix' : `stem-studio-mix-${recording.number}`}
            address={recording.address}
            bytes={recording.bytes}
            songs={recording.songs ?? []}
            isSaved={recording.isSaved}
            isNewest={index === 0}
            onSave={() => markSaved(engine, recording)}
            onDiscard={() => requestDiscard(engine, recording)}
          />
        ))}
      </ul>
      {earlier > 0 && (
        <Button small onClick={() => showStoredRecordings(true)}>
          Recordings of earlier visits: {earlier}
        </Button>
      )}
      <Space />
    </>
  );
}

/** How much can still be recorded, and where it is kept. */
function Space() {
  const [text, setText] = useState('');
  useScope((scope) => {
    void recordingSpaceText().then((found) => {
      if (!scope.isDisposed) setText(found);
    });
  }, []);
  return <p className={styles['space']}>{text}</p>;
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
        {clockText(question.seconds)} of your mix cannot be restored once discarded.
      </QuestionDialog>
    )
  );
}
