import { Scope } from '../base/scope.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import address from '../worklets/stretch.worklet.ts?worker&url';

/** What changes the pitch of all that is connected to it, in the page's one context. */
export interface Stretcher {
  readonly node: AudioWorkletNode;
  /** What goes in comes out so much later. */
  readonly delaySeconds: number;
  /** Pitch from now on, in semitones; null rests, and what comes out is silence. */
  shift(semitones: number | null): void;
}

/**
 * Its own setting, 120 ms every 30 ms, puts a low tone up to 21 cents beside its place (82 Hz moved by three semitones);
 * longer blocks that overlap more keep it within 4, at the price of 40 ms and a few percent of a core.
 */
const BLOCKS = { blockMs: 160, intervalMs: 15 };

const REFUSAL = 'Tempo and key cannot be changed: what does it could not be loaded. Reload the page.';

/** Lives as long as the page. */
const page = new Scope();
let stretcher: Promise<Stretcher> | null = null;

/**
 * The page's one stretcher, made when it is first needed: its thread part never ends, so that one for each player would
 * be left behind by each.
 *
 * @throws Error in words where it cannot be loaded
 * @see Signalsmith Stretch, https://signalsmith-audio.co.uk/code/stretch
 */
export function openStretcher(context: AudioContext): Promise<Stretcher> {
  stretcher ??= load(context).catch((error: unknown) => {
    stretcher = null;
    throw new Error(REFUSAL, { cause: error });
  });
  return stretcher;
}

async function load(context: AudioContext): Promise<Stretcher> {
  await context.audioWorklet.addModule(address);
  const node = new AudioWorkletNode(context, 'signalsmith-stretch', {
    numberOfInputs: 1,
    numberOfOutputs: 1,
    outputChannelCount: [2],
  });
  // Messages are a number, the name of a method and what it is given; answers are that number and a value.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  const call = (...message: readonly unknown[]) => node.port.postMessage(message);
  const delaySeconds = await new Promise<number>((resolve, reject) => {
    page.listen(node, 'processorerror', () => reject(new Error('the stretcher has stopped')));
    page.listen(node.port, 'message', (event) => {
      const [what, value] = (event as MessageEvent<[unknown, unknown]>).data;
      if (what === 'ready') {
        call(1, 'configure', BLOCKS);
        call(0, 'latency');
      }
      if (what === 0 && typeof value === 'number') resolve(value);
    });
    node.port.start();
  });
  return {
    node,
    delaySeconds,
    shift(semitones) {
      // Without a limit of tonality: what a changed tempo does to the pitch is undone up to the highest tones.
      const isActive = semitones !== null;
      call(1, 'schedule', { active: isActive, semitones: semitones ?? 0, tonalityHz: 0 });
    },
  };
}
