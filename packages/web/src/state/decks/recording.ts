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
  const unsubscribe = decks.recording.subscribe(({ isRecording }) => {
    if (isRecording) return;
    unsubscribe();
    // Ended without a press: another window plays the audio now. The part until then is a recording.
    if (state.getState().recording === 'on') save(target);
  });
}

/** Marks a recording as saved. */
export function markSaved({ state }: ControlTarget, { number }: MixRecording): void {
  state.setState(({ recordings }) => ({
    recordings: recordings.map((one) => (one.number === number ? { ...one, isSaved: true } : one)),
  }));
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

function discard({ state }: ControlTarget, { number, address }: MixRecording): void {
  URL.revokeObjectURL(address);
  state.setState(({ recordings }) => ({ recordings: recordings.filter((one) => one.number !== number) }));
}

function save({ decks, state }: ControlTarget): void {
  state.setState({ recording: 'saving' });
  decks.stopRecording().then(
    (file) =>
      state.setState(({ recordingCount, recordings }) => ({
        recording: 'off',
        recordingCount: recordingCount + 1,
        recordings: [
          ...recordings,
          {
            number: recordingCount + 1,
            address: URL.createObjectURL(file),
            bytes: file.size,
            seconds: decks.recording.getState().seconds,
            isSaved: false,
          },
        ],
        recordingError: '',
      })),
    (error: unknown) =>
      state.setState({
        recording: 'off',
        recordingError: `The recording could not be saved (${messageOf(error)}). Playback continues; start a new recording.`,
      }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
