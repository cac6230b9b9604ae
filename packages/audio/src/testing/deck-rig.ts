import { applyDeckMessage, type DeckFacts } from '@stem-studio/contract/decks/apply-deck-message';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { DjEngine } from '@stem-studio/renderer/dj-engine/dj-engine';
import type {
  DeckReport,
  DjEngineCommand,
  DjEngineEvent,
} from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { DeckController } from '../deck/deck-controller.ts';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import { FileFetchError, fetchRange } from '../player/fetch-range.ts';
import { type AudioServer, serveAudio } from './audio-server.ts';
import { openSameThreadDecoder } from './same-thread-decoder.ts';

/** A song of 40 s at 120 bpm with its first beat at 0.25 s. */
export const TRACK = '0198c0de-0000-7000-8000-000000000001';
/** A song of 125 bpm. */
export const OTHER_TRACK = '0198c0de-0000-7000-8000-000000000002';
/** A separation of {@link TRACK} into drums and vocals. */
export const JOB = '0198c0de-0000-7000-8000-000000000003';
/** A track whose audio file is missing. */
export const GONE_TRACK = '0198c0de-0000-7000-8000-000000000004';

/** Length of every song. */
export const SONG_SECONDS = 40;
const RATE_HZ = 44_100;
/** Output latency. */
const LATENCY_SECONDS = 0.02;
const BLOCK_FRAMES = 128;
const REPORT_FRAMES = 1024;
/** Most waits of at least 1 ms before a test fails. */
const MAX_WAITS = 60_000;
const tempi: Readonly<Record<string, number>> = { [TRACK]: 120, [OTHER_TRACK]: 125, [GONE_TRACK]: 120 };

/** Returns the beats of a song in seconds. */
export function beatsOf(trackId: string): number[] {
  const bpm = tempi[trackId] ?? 120;
  const count = Math.floor(((SONG_SECONDS - 0.25) * bpm) / 60);
  return Array.from({ length: count }, (_, beat) => 0.25 + (beat * 60) / bpm);
}

let served: Promise<Record<string, Uint8Array>> | null = null;

/** Creates the audio files once. */
function files(): Promise<Record<string, Uint8Array>> {
  const wav = (channels: number) =>
    encodeFile(
      createWavEncoder({ sampleRate: RATE_HZ, channels, bitDepth: '16' }),
      createTestSong(SONG_SECONDS * RATE_HZ, RATE_HZ, channels),
    );
  served ??= Promise.all([wav(2), wav(1)]).then(([song, stem]) => ({
    [TRACK]: song,
    [OTHER_TRACK]: song,
    drums: stem,
    vocals: stem,
  }));
  return served;
}

/**
 * A window with its decks and a DJ engine, without a browser. The clocks of service and audio run together, and only
 * while audio is rendered.
 */
export class DeckRig {
  readonly decks: DeckController;
  /** Clock of the service as estimated by the window, if it differs from {@link now}. */
  windowNow: (() => number) | null = null;
  /** Messages that the window sent. */
  readonly sent: DeckMessage[] = [];
  /** Commands that the engine received. */
  readonly commands: DjEngineCommand[] = [];
  readonly #server: AudioServer;
  readonly #servedFiles: Record<string, Uint8Array>;
  #kernel = new DjEngine(RATE_HZ);
  #listener: (event: DjEngineEvent) => void = () => {};
  #frames = 0;
  #isOpen = false;

  /** Whether requests for ranges of files fail, as when the service is stopped. */
  isOffline = false;

  /**
   * @param servedFiles files of the server, read at each request
   * @param memoryBytes most bytes of samples of a deck; those of a desktop computer by default
   */
  constructor(server: AudioServer, servedFiles: Record<string, Uint8Array>, memoryBytes?: number) {
    this.#server = server;
    this.#servedFiles = servedFiles;
    this.decks = new DeckController({
      files: {
        song: async (trackId) => ({
          address: server.address(trackId),
          codec: 'wav',
          durationMs: SONG_SECONDS * 1000,
        }),
        stems: async () =>
          (['drums', 'vocals'] as const).map((type) => ({ type, address: server.address(type) })),
        grid: async (trackId) => {
          const beats = beatsOf(trackId);
          const downbeats = beats.filter((_, beat) => beat % 4 === 0);
          return { beats, downbeats, bpm: tempi[trackId] ?? null, beatsPerBar: 4 };
        },
      },
      fetchRange: (...range) =>
        this.isOffline
          ? Promise.reject(new FileFetchError('the service is stopped', true))
          : fetchRange(...range),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      openDecoder: openSameThreadDecoder,
      openPort: async () => this.#port(),
      now: () => this.windowNow?.() ?? this.now,
    });
    this.decks.onMessage((message) => this.sent.push(message));
  }

  /** Opens a window for the duration of a test, which plays the audio by default. */
  static async open(
    test: { after(close: () => Promise<void>): void },
    isSounding = true,
    memoryBytes?: number,
  ): Promise<DeckRig> {
    const servedFiles = { ...(await files()) };
    const rig = new DeckRig(await serveAudio(servedFiles), servedFiles, memoryBytes);
    test.after(() => rig.#close());
    if (isSounding) rig.decks.setAudioEnabled(true);
    await rig.flush();
    return rig;
  }

  /** Milliseconds of the service's clock. */
  get now(): number {
    return 1_000_000 + (this.#frames / RATE_HZ) * 1000;
  }

  /** Whether the engine is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the service's properties of a track. */
  facts(trackId: string | null): DeckFacts {
    const track = trackId === null ? {} : { track: factsOf(trackId) };
    const stems: readonly StemType[] = ['drums', 'vocals'];
    return { now: this.now, stems, ...track };
  }

  /** Loads a track and waits until it is complete. */
  async load(deck: DeckId, trackId: string): Promise<void> {
    const load: DeckMessage = { event: 'load_track', deck, track_id: trackId };
    const before = this.decks.session.getState();
    this.decks.dispatch(load);
    this.decks.take(applyDeckMessage(before, load, this.facts(trackId)));
    await this.#loaded(deck);
    await this.flush();
  }

  /** Loads the stems of {@link JOB} and waits until they are complete. */
  async loadStems(deck: DeckId): Promise<void> {
    const load: DeckMessage = { event: 'load_stems', deck, processing_job_id: JOB };
    const before = this.decks.session.getState();
    this.decks.dispatch(load);
    this.decks.take(applyDeckMessage(before, load, this.facts(null)));
    await this.#loaded(deck);
  }

  /** Makes the file of {@link GONE_TRACK} available. */
  async restoreGoneTrack(): Promise<void> {
    this.#servedFiles[GONE_TRACK] = (await files())[TRACK]!;
  }

  /** Applies a message of another window; `moved` are the decks that it moved. */
  remote(message: DeckMessage, moved?: ReadonlySet<DeckId>): void {
    this.decks.take(applyDeckMessage(this.decks.session.getState(), message, this.facts(null)), moved);
  }

  /** Renders a number of seconds, and advances the clocks. */
  pump(seconds: number): void {
    const left = new Float32Array(BLOCK_FRAMES);
    const right = new Float32Array(BLOCK_FRAMES);
    const head = new Float32Array(BLOCK_FRAMES);
    const end = this.#frames + seconds * RATE_HZ;
    while (this.#frames < end) {
      if (this.#isOpen) this.#kernel.process(left, right, head, head, BLOCK_FRAMES);
      this.#frames += BLOCK_FRAMES;
      if (this.#isOpen && this.#frames % REPORT_FRAMES === 0) this.#report();
    }
  }

  /** Returns the engine's state of a deck. */
  deck(deck: DeckId): DeckReport {
    return this.#kernel.report(0).decks[deck];
  }

  /** Returns the rendered position of a deck in seconds of the song. */
  renderedSeconds(deck: DeckId): number {
    return this.deck(deck).frame / RATE_HZ;
  }

  /** Waits for a condition. */
  async until(isTrue: () => boolean): Promise<void> {
    for (let attempt = 0; !isTrue(); attempt++) {
      if (attempt > MAX_WAITS) {
        const { a, b } = this.decks.local.getState();
        const seen = [a, b].map(({ status, loadedRatio, error }) => `${status} ${loadedRatio} ${error}`);
        throw new Error(`what was waited for did not come; the decks are: ${seen.join(', ')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** Lets pending callbacks run that need no network. */
  async flush(): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Waits for all chunks that are kept: a rig renders faster than files arrive. */
  async #loaded(deck: DeckId): Promise<void> {
    const local = () => this.decks.local.getState()[deck];
    await this.until(
      () =>
        local().status !== 'loading' &&
        (!this.#isOpen || local().loadedRatio === 1 || local().isStreaming || local().status === 'failed'),
    );
  }

  async #close(): Promise<void> {
    this.decks.dispose();
    await this.#server.close();
  }

  #report(): void {
    this.#listener(this.#kernel.report((this.#frames + this.#kernel.delayFrames) / RATE_HZ));
  }

  #port(): DjEnginePort {
    this.#isOpen = true;
    this.#kernel = new DjEngine(RATE_HZ);
    this.#kernel.recorder.onChunk = (piece) => this.#listener({ type: 'recording', ...piece });
    return {
      sampleRateHz: RATE_HZ,
      headphones: null,
      microphone: null,
      post: (command) => {
        this.commands.push(command);
        this.#kernel.apply(command);
      },
      onEvent: (listener) => {
        this.#listener = listener;
      },
      nowSeconds: () => this.#frames / RATE_HZ - LATENCY_SECONDS,
      wake: () => {},
      dispose: () => {
        this.#isOpen = false;
        this.#listener = () => {};
      },
    };
  }
}

function factsOf(trackId: string) {
  return { track_bpm: tempi[trackId] ?? null, duration_ms: SONG_SECONDS * 1000, hot_cues: [] };
}
