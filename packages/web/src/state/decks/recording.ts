import type { RecordingProblem } from '@stem-studio/audio/deck/mix-recorder';
import { recordedSongs } from '../../base/recorded-songs.ts';
import { forgetRecording, forgetSavedRecordings, noteRecordingSaved } from '../stored-recordings.state.ts';
import type { ControlTarget } from './control-target.ts';
import type { MixRecording } from './dj-state.ts';

/** Starts a recording of the master output, or stops it and adds the file to the recordings. */
export function toggleRecording(target: ControlTarget): void {
  const { recording } = target.state.getState();
  if (recording === 'off') start(target);
  else if (recording === 'on') save(target);
}

function start(target: ControlTarget): void {
  const { decks, state } = target;
  try {
    decks.startRecording();
  } catch (error) {
    state.setState({ recordingError: `Recording failed: ${messageOf(error)}.` });
    return;
  }
  state.setState({ recording: 'on', recordingError: '' });
  // Saved recordings leave the list, unsaved ones stay.
  for (const one of state.getState().recordings) if (one.isSaved) discard(target, one);
  forgetSavedRecordings();
  const unsubscribe = decks.recording.subscribe(({ isRecording }) => {
    if (isRecording) return;
    unsubscribe();
    // Ended without a press: another window plays the audio now, or the disk is full. The part until then is a recording.
    if (state.getState().recording === 'on') save(target);
  });
}

/** Marks a recording as saved. */
export function markSaved({ state }: ControlTarget, { number, storedId = null }: MixRecording): void {
  state.setState(({ recordings }) => ({
    recordings: recordings.map((one) => (one.number === number ? { ...one, isSaved: true } : one)),
  }));
  if (storedId !== null) noteRecordingSaved(storedId);
}

/** Discards a recording, after confirmation if it is not saved. */
export function requestDiscard(target: ControlTarget, one: MixRecording): void {
  if (one.isSaved) discard(target, one);
  else target.state.setState({ pendingDiscard: one });
}

/** Confirms or cancels the discard that {@link requestDiscard} left pending. */
export function resolveDiscard(target: ControlTarget, isWanted: boolean): void {
  const { pendingDiscard } = target.state.getState();
  target.state.setState({ pendingDiscard: null });
  if (isWanted && pendingDiscard) discard(target, pendingDiscard);
}

function discard({ state }: ControlTarget, { number, address, storedId = null }: MixRecording): void {
  URL.revokeObjectURL(address);
  if (storedId !== null) forgetRecording(storedId);
  state.setState(({ recordings }) => ({ recordings: recordings.filter((one) => one.number !== number) }));
}

function save({ decks, state }: ControlTarget): void {
  state.setState({ recording: 'saving' });
  decks.stopRecording().then(
    (file) => {
      const { seconds, storedId, problem } = decks.recording.getState();
      state.setState(({ recordingCount, recordings }) => ({
        recording: 'off',
        recordingCount: recordingCount + 1,
        recordings: [
          ...recordings,
          {
            number: recordingCount + 1,
            address: URL.createObjectURL(file),
            bytes: file.size,
            seconds,
            isSaved: false,
            storedId,
            songs: recordedSongs(decks.recorded().notes, decks.recorded().seconds),
          },
        ],
        recordingError: problem ? recordingProblemText(problem) : '',
      }));
    },
    (error: unknown) =>
      state.setState({
        recording: 'off',
        recordingError: `The recording could not be saved (${messageOf(error)}). Playback continues; start a new recording.`,
      }),
  );
}

/** Returns what a problem means for the user. */
export function recordingProblemText({ kind, message }: RecordingProblem): string {
  switch (kind) {
    case 'unstored':
      return `This recording is held by this page only and is lost if it closes: ${message}. Save it before you leave.`;
    case 'full':
      return 'The recording has ended because the disk is full or the browser allows no more space. What was recorded until then is kept.';
    case 'failed':
      return `The recording has ended (${message}). What was recorded until then is kept.`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
