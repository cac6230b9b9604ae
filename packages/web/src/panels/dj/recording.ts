import type { Desk } from './desk.ts';

/** Begins to record what leaves the mixer, or ends that and offers the file. */
export function toggleRecording(desk: Desk): void {
  const { recording } = desk.state.getState();
  if (recording === 'off') begin(desk);
  else if (recording === 'on') save(desk);
}

function begin(desk: Desk): void {
  const { decks, state } = desk;
  const { saved } = state.getState();
  try {
    decks.startRecording();
  } catch (error) {
    state.setState({ recordingError: `Nothing is recorded: ${wordsOf(error)}.` });
    return;
  }
  if (saved) URL.revokeObjectURL(saved.address);
  state.setState({ recording: 'on', saved: null, recordingError: '' });
  const forget = decks.recording.subscribe(({ isRecording }) => {
    if (isRecording) return;
    forget();
    // Nobody pressed: another window took the sound. What there is until then is offered.
    if (state.getState().recording === 'on') save(desk);
  });
}

function save({ decks, state }: Desk): void {
  state.setState({ recording: 'saving' });
  decks.stopRecording().then(
    (file) =>
      state.setState({
        recording: 'off',
        saved: { address: URL.createObjectURL(file), bytes: file.size, isTaken: false },
        recordingError: '',
      }),
    (error: unknown) =>
      state.setState({
        recording: 'off',
        recordingError: `The recording could not be kept (${wordsOf(error)}). The decks play on; record again.`,
      }),
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
