import type { DjEngineRecording } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { StoreApi } from 'zustand/vanilla';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import { MixRecording } from '../dj-engine/mix-recording.ts';

/** Shown state of a recording. */
export interface RecordingState {
  isRecording: boolean;
  /** Recorded whole seconds. */
  seconds: number;
}

type RecordedPort = Pick<DjEnginePort, 'sampleRateHz' | 'post'>;

/** Records the master output of the engine. The recording remains when the engine is closed. */
export class MixRecorder {
  readonly #state: StoreApi<RecordingState>;
  #port: RecordedPort | null = null;
  #recording: MixRecording | null = null;
  #finished: PromiseWithResolvers<Blob> | null = null;

  constructor(state: StoreApi<RecordingState>) {
    this.#state = state;
  }

  /** Records from this engine from now on; null detaches, and a running recording ends. */
  attach(port: RecordedPort | null): void {
    this.#finish();
    this.#port = port;
  }

  /**
   * Starts a recording; a running one continues.
   *
   * @throws Error where this window does not play the audio
   */
  start(): void {
    if (!this.#port)
      throw new Error('only the window that plays the audio can record; start playback here first');
    if (this.#state.getState().isRecording) return;
    this.#recording = new MixRecording(this.#port.sampleRateHz);
    this.#state.setState({ isRecording: true, seconds: 0 });
    this.#port.post({ type: 'record', isOn: true });
  }

  /**
   * Ends the recording and returns its WAV file, or that of the last recording if none is running. Rejects if there
   * is none.
   */
  stop(): Promise<Blob> {
    if (!this.#recording) return Promise.reject(new Error('nothing was recorded in this window'));
    if (!this.#state.getState().isRecording) return Promise.resolve(this.#recording.toBlob());
    if (this.#finished) return this.#finished.promise;
    const finished = Promise.withResolvers<Blob>();
    this.#finished = finished;
    this.#port?.post({ type: 'record', isOn: false });
    return finished.promise;
  }

  /** Adds a chunk of recorded audio. */
  receive({ samples, isLast }: DjEngineRecording): void {
    if (!this.#recording || !this.#state.getState().isRecording) return;
    this.#recording.add({ samples });
    this.#port?.post({ type: 'record-buffer', samples }, [samples.buffer]);
    const seconds = Math.floor(this.#recording.seconds);
    if (seconds !== this.#state.getState().seconds) this.#state.setState({ seconds });
    if (isLast) this.#finish();
  }

  /** Completes the recording with the chunks received so far. */
  #finish(): void {
    if (!this.#recording || !this.#state.getState().isRecording) return;
    this.#finished?.resolve(this.#recording.toBlob());
    this.#finished = null;
    this.#state.setState({ isRecording: false });
  }
}
