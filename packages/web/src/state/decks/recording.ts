import type { Desk } from './control-target.ts';
import type { KeptRecording } from './dj-state.ts';

/** Begins to record what leaves the mixer, or ends that and offers the file. */
export function toggleRecording(desk: Desk): void {
  const { recording } = desk.state.getState();
  if (recording === 'off') begin(desk);
  else if (recording === 'on') save(desk);
}

function begin(desk: Desk): void {
  const { decks, state } = desk;
  try {
    decks.startRecording();
  } catch (error) {
    state.setState({ recordingError: `Nothing is recorded: ${wordsOf(error)}.` });
    return;
  }
  state.setState({ recording: 'on', recordingError: '' });
  // What is on the disk has to be kept no longer; what is not stays.
  for (const one of state.getState().kept) if (one.isTaken) discard(desk, one);
  const forget = decks.recording.subscribe(({ isRecording }) => {
    if (isRecording) return;
    forget();
    // Nobody pressed: another window took the sound. What there is until then is offered.
    if (state.getState().recording === 'on') save(desk);
  });
}

/** Notes that a recording goes to the disk. */
export function takeRecording({ state }: Desk, { number }: KeptRecording): void {
  state.setState(({ kept }) => ({
    kept: kept.map((one) => (one.number === number ? { ...one, isTaken: true } : one)),
  }));
}

/** Throws a recording away; of one that is not on the disk it is asked first. */
export function askDiscard(desk: Desk, one: KeptRecording): void {
  if (one.isTaken) discard(desk, one);
  else desk.state.setState({ discardQuestion: one });
}

/** Answers the question of {@link askDiscard}. */
export function answerDiscard(desk: Desk, isWanted: boolean): void {
  const { discardQuestion } = desk.state.getState();
  desk.state.setState({ discardQuestion: null });
  if (isWanted && discardQuestion) discard(desk, discardQuestion);
}

function discard({ state }: Desk, { number, address }: KeptRecording): void {
  URL.revokeObjectURL(address);
  state.setState(({ kept }) => ({ kept: kept.filter((one) => one.number !== number) }));
}

function save({ decks, state }: Desk): void {
  state.setState({ recording: 'saving' });
  decks.stopRecording().then(
    (file) =>
      state.setState(({ recorded, kept }) => ({
        recording: 'off',
        recorded: recorded + 1,
        kept: [
          ...kept,
          {
            number: recorded + 1,
            address: URL.createObjectURL(file),
            bytes: file.size,
            seconds: decks.recording.getState().seconds,
            isTaken: false,
          },
        ],
        recordingError: '',
      })),
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
