import type { DjEngineRecording } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { StoreApi } from 'zustand/vanilla';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import { MixRecording } from '../dj-engine/mix-recording.ts';

/** What is shown of a recording. */
export interface RecordingState {
  isRecording: boolean;
  /** Whole seconds that were recorded since it began. */
  seconds: number;
}

type RecordedPort = Pick<DjEnginePort, 'sampleRateHz' | 'post'>;

/** Records what leaves the booth, from a press to another. What was recorded outlives the engine. */
export class MixRecorder {
  readonly #state: StoreApi<RecordingState>;
  #port: RecordedPort | null = null;
  #recording: MixRecording | null = null;
  #finished: PromiseWithResolvers<Blob> | null = null;

  constructor(state: StoreApi<RecordingState>) {
    this.#state = state;
  }

  /** Records from this booth from now on; with null from none, and what runs ends with what is here. */
  attach(port: RecordedPort | null): void {
    this.#finish();
    this.#port = port;
  }

  /**
   * Begins a recording; one that runs goes on.
   *
   * @throws Error where this window does not sound
   */
  start(): void {
    if (!this.#port) throw new Error('only the window that sounds can record; play the sound here first');
    if (this.#state.getState().isRecording) return;
    this.#recording = new MixRecording(this.#port.sampleRateHz);
    this.#state.setState({ isRecording: true, seconds: 0 });
    this.#port.post({ type: 'record', isOn: true });
  }

  /** Ends the recording; answers with its WAV file, that of the last one where none runs. Rejects where there is none. */
  stop(): Promise<Blob> {
    if (!this.#recording) return Promise.reject(new Error('nothing was recorded in this window'));
    if (!this.#state.getState().isRecording) return Promise.resolve(this.#recording.toBlob());
    if (this.#finished) return this.#finished.promise;
    const finished = Promise.withResolvers<Blob>();
    this.#finished = finished;
    this.#port?.post({ type: 'record', isOn: false });
    return finished.promise;
  }

  /** Takes a piece of what left the engine. */
  receive({ samples, isLast }: DjEngineRecording): void {
    if (!this.#recording || !this.#state.getState().isRecording) return;
    this.#recording.add({ samples });
    this.#port?.post({ type: 'record-buffer', samples }, [samples.buffer]);
    const seconds = Math.floor(this.#recording.seconds);
    if (seconds !== this.#state.getState().seconds) this.#state.setState({ seconds });
    if (isLast) this.#finish();
  }

  /** Ends with what is here: nothing more comes. */
  #finish(): void {
    if (!this.#recording || !this.#state.getState().isRecording) return;
    this.#finished?.resolve(this.#recording.toBlob());
    this.#finished = null;
    this.#state.setState({ isRecording: false });
  }
}
