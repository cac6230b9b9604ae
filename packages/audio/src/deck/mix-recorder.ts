import type { DjEngineRecording } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { StoreApi } from 'zustand/vanilla';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import { MixRecording } from '../dj-engine/mix-recording.ts';
import type { RecordingNote } from '../recording/recording-messages.ts';
import type { OpenRecordingStorage, RecordingStorage } from '../recording/recording-storage.ts';

/** Shown state of a recording. */
export interface RecordingState {
  isRecording: boolean;
  /** Recorded whole seconds. */
  seconds: number;
  /** Name of the running or last recording in this browser's storage; null if it is held in memory. */
  storedId: string | null;
  /** Why a recording is held in memory only, or has ended by itself. */
  problem: RecordingProblem | null;
}

/**
 * `unstored`: the browser stores no recording, so that it is lost with the page. `full`, `failed`: the recording has
 * ended, and what was recorded before is kept.
 */
export interface RecordingProblem {
  kind: 'unstored' | 'full' | 'failed';
  message: string;
}

/** Returns the state before the first recording. */
export function createRecordingState(): RecordingState {
  return { isRecording: false, seconds: 0, storedId: null, problem: null };
}

const NO_STORAGE: RecordingProblem = { kind: 'unstored', message: 'this page has no private storage' };

type RecordedPort = Pick<DjEnginePort, 'sampleRateHz' | 'post' | 'nowSeconds'>;

/** Where the samples of a recording go: to the storage, or to memory where there is none. */
interface Sink {
  storage: RecordingStorage | null;
  /** Samples that wait until the storage is open; null afterwards. */
  early: Float32Array<ArrayBuffer>[] | null;
  /** Resolves once the storage is open or has failed to open. */
  decided: PromiseWithResolvers<void>;
  memory: MixRecording;
}

/**
 * Records the master output of the engine. It is stored as it runs where the browser allows it, and remains when the
 * engine is closed.
 */
export class MixRecorder {
  readonly #state: StoreApi<RecordingState>;
  readonly #openStorage: OpenRecordingStorage | null;
  #port: RecordedPort | null = null;
  #sink: Sink | null = null;
  #file: Promise<Blob> | null = null;
  #finished: PromiseWithResolvers<Blob> | null = null;
  #notes: RecordingNote[] = [];
  #frames = 0;
  #rateHz = 0;
  /** Audio-clock time of the last received chunk, in seconds. */
  #receivedSeconds = 0;

  constructor(state: StoreApi<RecordingState>, openStorage: OpenRecordingStorage | null = null) {
    this.#state = state;
    this.#openStorage = openStorage;
  }

  /** Notes of the running or last recording, in their order. */
  get notes(): readonly RecordingNote[] {
    return this.#notes;
  }

  /** Recorded seconds now, estimated between two chunks. */
  get seconds(): number {
    if (this.#rateHz === 0) return 0;
    const recorded = this.#frames / this.#rateHz;
    if (!this.#port || !this.#state.getState().isRecording) return recorded;
    return recorded + Math.max(0, this.#port.nowSeconds() - this.#receivedSeconds);
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
    this.#rateHz = this.#port.sampleRateHz;
    this.#frames = 0;
    this.#receivedSeconds = this.#port.nowSeconds();
    this.#notes = [];
    this.#file = null;
    const memory = new MixRecording(this.#rateHz);
    const sink: Sink = { storage: null, early: null, decided: Promise.withResolvers(), memory };
    this.#sink = sink;
    sink.storage =
      this.#openStorage?.(this.#rateHz, {
        opened: () => this.#flushEarly(sink),
        buffer: (samples) => this.#recycle(samples),
        failed: (failure) => this.#fail(sink, failure),
      }) ?? null;
    if (sink.storage) sink.early = [];
    else sink.decided.resolve();
    const storedId = sink.storage?.id ?? null;
    const problem = this.#openStorage && !sink.storage ? NO_STORAGE : null;
    this.#state.setState({ isRecording: true, seconds: 0, storedId, problem });
    this.#port.post({ type: 'record', isOn: true });
  }

  /** Adds a note at its position in the running recording. */
  note(note: RecordingNote): void {
    if (!this.#sink || !this.#state.getState().isRecording) return;
    this.#notes = [...this.#notes, note];
    this.#sink.storage?.note(note);
  }

  /**
   * Ends the recording and returns its WAV file, or that of the last recording if none is running. Rejects if there
   * is none.
   */
  stop(): Promise<Blob> {
    if (!this.#sink) return Promise.reject(new Error('nothing was recorded in this window'));
    if (!this.#state.getState().isRecording) return this.#wholeFile(this.#sink);
    if (this.#finished) return this.#finished.promise;
    const finished = Promise.withResolvers<Blob>();
    this.#finished = finished;
    this.#port?.post({ type: 'record', isOn: false });
    return finished.promise;
  }

  /** Adds a chunk of recorded audio. */
  receive({ samples, isLast }: DjEngineRecording): void {
    if (!this.#sink || !this.#state.getState().isRecording) return;
    const { storage, early, memory } = this.#sink;
    this.#frames += samples.length / 2;
    this.#receivedSeconds = this.#port?.nowSeconds() ?? 0;
    if (early) early.push(samples);
    else if (storage) storage.add(samples);
    else {
      memory.add({ samples });
      this.#recycle(samples);
    }
    const seconds = Math.floor(this.#frames / this.#rateHz);
    if (seconds !== this.#state.getState().seconds) this.#state.setState({ seconds });
    if (isLast) this.#finish();
  }

  #recycle(samples: Float32Array<ArrayBuffer>): void {
    this.#port?.post({ type: 'record-buffer', samples }, [samples.buffer]);
  }

  #flushEarly(sink: Sink): void {
    for (const samples of sink.early ?? []) sink.storage?.add(samples);
    sink.early = null;
    sink.decided.resolve();
  }

  /** Continues in memory if nothing was stored yet; otherwise ends the recording with what was stored. */
  #fail(sink: Sink, { isFull, message }: { isFull: boolean; message: string }): void {
    if (sink !== this.#sink) return;
    if (sink.early) {
      for (const samples of sink.early) sink.memory.add({ samples });
      sink.early = null;
      sink.storage = null;
      sink.decided.resolve();
      this.#state.setState({ storedId: null, problem: { kind: 'unstored', message } });
      return;
    }
    if (!this.#state.getState().isRecording) return;
    this.#port?.post({ type: 'record', isOn: false });
    this.#state.setState({ problem: { kind: isFull ? 'full' : 'failed', message } });
    this.#finish();
  }

  /** Completes the recording with the chunks received so far. */
  #finish(): void {
    if (!this.#sink || !this.#state.getState().isRecording) return;
    const file = this.#wholeFile(this.#sink);
    // The caller of stop() receives the failure.
    file.catch(() => undefined);
    this.#finished?.resolve(file);
    this.#finished = null;
    this.#state.setState({ isRecording: false });
  }

  #wholeFile(sink: Sink): Promise<Blob> {
    this.#file ??= this.#store(sink);
    return this.#file;
  }

  async #store(sink: Sink): Promise<Blob> {
    await sink.decided.promise;
    return sink.storage ? sink.storage.finish() : sink.memory.toBlob();
  }
}
