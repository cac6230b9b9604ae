import { useState } from 'react';
import { clockText } from '../../base/format.ts';
import type { StoredRecording } from '../../client/recordings/stored-recordings.ts';
import { outputUse, releaseOutput, takeOutput } from '../../state/output-use.state.ts';
import {
  forgetRecording,
  noteRecordingSaved,
  openStoredRecording,
  showStoredRecordings,
  storedRecordings,
} from '../../state/stored-recordings.state.ts';
import { toastError } from '../../state/toasts.state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { QuestionDialog } from '../../ui/question-dialog.tsx';
import { RecordingEntry } from '../../ui/recording-entry.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './recovered-recordings.module.css';

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Dialog that offers the recordings of earlier visits: to play, save and discard them. */
export function RecoveredRecordings() {
  const recordings = useStore(storedRecordings, (state) => state.recordings);
  const [discarding, setDiscarding] = useState<StoredRecording | null>(null);
  const hasInterrupted = recordings.some(({ isInterrupted, isSaved }) => isInterrupted && !isSaved);
  return (
    <>
      <Dialog title="Recordings of earlier visits" onClose={() => showStoredRecordings(false)}>
        <p className={styles['text']}>
          {hasInterrupted
            ? 'A recording was interrupted when the page closed. This is what was recorded until then.'
            : 'These recordings are kept in this browser.'}{' '}
          Saved ones are removed when the next recording starts.
        </p>
        <ul className={styles['list']}>
          {recordings.toReversed().map((recording, index) => (
            <Entry
              key={recording.id}
              recording={recording}
              isNewest={index === 0}
              onDiscard={() => (recording.isSaved ? forgetRecording(recording.id) : setDiscarding(recording))}
            />
          ))}
        </ul>
        <div className={styles['answers']}>
          <Button onClick={() => showStoredRecordings(false)}>Later</Button>
        </div>
      </Dialog>
      {discarding && (
        <QuestionDialog
          title="The recording is not saved"
          stay="Keep recording"
          go="Discard"
          onAnswer={(isWanted) => {
            setDiscarding(null);
            if (isWanted) forgetRecording(discarding.id);
          }}
        >
          {clockText(discarding.seconds)} of your mix cannot be restored once discarded.
        </QuestionDialog>
      )}
    </>
  );
}

function Entry({
  recording,
  isNewest,
  onDiscard,
}: {
  recording: StoredRecording;
  isNewest: boolean;
  onDiscard: () => void;
}) {
  const { id, startedAt, seconds, bytes, songs, isSaved } = recording;
  const [address, setAddress] = useState('');
  useScope(
    (scope) => {
      openStoredRecording(id).then(
        (file) => {
          const opened = URL.createObjectURL(file);
          scope.own(() => URL.revokeObjectURL(opened));
          if (!scope.isDisposed) setAddress(opened);
        },
        (error: unknown) => toastError('Recording not opened', String(error)),
      );
    },
    [id],
  );
  const started = times.format(startedAt);
  const stamp = new Date(startedAt).toISOString().slice(0, 16).replace(/[T:]/g, '-');
  return (
    <RecordingEntry
      name={`recording of ${started}`}
      title={`${started} · ${clockText(seconds)}`}
      fileName={`stem-studio-mix-${stamp}`}
      address={address}
      bytes={bytes}
      songs={songs}
      isSaved={isSaved}
      isNewest={isNewest}
      onSave={() => noteRecordingSaved(id)}
      onDiscard={onDiscard}
    >
      <Player address={address} title={`Recording of ${started}`} />
    </RecordingEntry>
  );
}

/** Player of a recording; like the other players of the page it asks before it plays over the decks. */
function Player({ address, title }: { address: string; title: string }) {
  const [element, setElement] = useState<HTMLAudioElement | null>(null);
  useScope((scope) => scope.own(() => releaseOutput('recording')), []);
  if (address === '') return null;
  const output = {
    title,
    start: () => void element?.play(),
    pause: () => element?.pause(),
  };
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording of music has no captions
    <audio
      ref={setElement}
      className={styles['player']}
      aria-label={title}
      src={address}
      controls
      preload="metadata"
      onPlay={() => {
        if (!takeOutput('recording', output)) element?.pause();
      }}
      onPause={() => {
        // Refused by the decks, it is paused before it has the output.
        if (outputUse.getState().player?.by === 'recording') releaseOutput('recording');
      }}
    />
  );
}
