import type { StoreApi } from 'zustand/vanilla';
import type { BoothPort } from '../booth/booth-port.ts';
import { MixRecording } from '../booth/mix-recording.ts';
import type { BoothRecording } from '../kernels/booth/booth-messages.ts';

/** What is shown of a recording. */
export interface RecordingState {
  isRecording: boolean;
  /** Whole seconds that were recorded since it began. */
  seconds: number;
}

/** Records what leaves the booth, from a press to another. */
export class MixRecorder {
  readonly #state: StoreApi<RecordingState>;
  readonly #port: Pick<BoothPort, 'sampleRateHz' | 'post'>;
  #recording: MixRecording;
  #finished: PromiseWithResolvers<Blob> | null = null;

  constructor(state: StoreApi<RecordingState>, port: Pick<BoothPort, 'sampleRateHz' | 'post'>) {
    this.#state = state;
    this.#port = port;
    this.#recording = new MixRecording(port.sampleRateHz);
  }

  /** Begins a recording; one that runs goes on. */
  start(): void {
    if (this.#state.getState().isRecording) return;
    this.#recording = new MixRecording(this.#port.sampleRateHz);
    this.#state.setState({ isRecording: true, seconds: 0 });
    this.#port.post({ type: 'record', isOn: true });
  }

  /** Ends the recording; answers with its WAV file, that of the last one where none runs. */
  stop(): Promise<Blob> {
    if (!this.#state.getState().isRecording) return Promise.resolve(this.#recording.toBlob());
    if (!this.#finished) {
      this.#finished = Promise.withResolvers();
      this.#port.post({ type: 'record', isOn: false });
    }
    return this.#finished.promise;
  }

  /** Takes a piece of what left the booth. */
  hear({ samples, isLast }: BoothRecording): void {
    if (!this.#state.getState().isRecording) return;
    this.#recording.add({ samples });
    this.#port.post({ type: 'record-buffer', samples }, [samples.buffer]);
    const seconds = Math.floor(this.#recording.seconds);
    if (seconds !== this.#state.getState().seconds) this.#state.setState({ seconds });
    if (isLast) this.finish();
  }

  /** Ends with what is here: nothing more comes. */
  finish(): void {
    if (!this.#state.getState().isRecording) return;
    this.#state.setState({ isRecording: false });
    this.#finished?.resolve(this.#recording.toBlob());
    this.#finished = null;
  }
}
