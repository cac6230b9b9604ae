import type { Desk } from './set-control.ts';

/** Begins to record what leaves the mixer, or ends that and offers the file. */
export function toggleRecording({ decks, state }: Desk): void {
  const { recording, saved } = state.getState();
  if (recording === 'saving') return;
  if (recording === 'off') {
    if (saved) URL.revokeObjectURL(saved.address);
    decks.startRecording();
    state.setState({ recording: 'on', saved: null });
    return;
  }
  state.setState({ recording: 'saving' });
  decks.stopRecording().then(
    (file) =>
      state.setState({
        recording: 'off',
        saved: { address: URL.createObjectURL(file), bytes: file.size },
        recordingError: '',
      }),
    (error: unknown) =>
      state.setState({
        recording: 'off',
        recordingError: `The recording could not be kept (${error instanceof Error ? error.message : String(error)}). The decks play on; record again.`,
      }),
  );
}
