import type { ControlTarget } from './control-target.ts';
import type { MixRecording } from './dj-state.ts';

/** Begins to record what leaves the mixer, or ends that and offers the file. */
export function toggleRecording(target: ControlTarget): void {
  const { recording } = target.state.getState();
  if (recording === 'off') begin(target);
  else if (recording === 'on') save(target);
}

function begin(target: ControlTarget): void {
  const { decks, state } = target;
  try {
    decks.startRecording();
  } catch (error) {
    state.setState({ recordingError: `Nothing is recorded: ${wordsOf(error)}.` });
    return;
  }
  state.setState({ recording: 'on', recordingError: '' });
  // What is on the disk has to be kept no longer; what is not stays.
  for (const one of state.getState().kept) if (one.isTaken) discard(target, one);
  const forget = decks.recording.subscribe(({ isRecording }) => {
    if (isRecording) return;
    forget();
    // Nobody pressed: another window took the sound. What there is until then is offered.
    if (state.getState().recording === 'on') save(target);
  });
}

/** Notes that a recording goes to the disk. */
export function takeRecording({ state }: ControlTarget, { number }: MixRecording): void {
  state.setState(({ kept }) => ({
    kept: kept.map((one) => (one.number === number ? { ...one, isTaken: true } : one)),
  }));
}

/** Throws a recording away; of one that is not on the disk it is asked first. */
export function askDiscard(target: ControlTarget, one: MixRecording): void {
  if (one.isTaken) discard(target, one);
  else target.state.setState({ discardQuestion: one });
}

/** Answers the question of {@link askDiscard}. */
export function answerDiscard(target: ControlTarget, isWanted: boolean): void {
  const { discardQuestion } = target.state.getState();
  target.state.setState({ discardQuestion: null });
  if (isWanted && discardQuestion) discard(target, discardQuestion);
}

function discard({ state }: ControlTarget, { number, address }: MixRecording): void {
  URL.revokeObjectURL(address);
  state.setState(({ kept }) => ({ kept: kept.filter((one) => one.number !== number) }));
}

function save({ decks, state }: ControlTarget): void {
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
