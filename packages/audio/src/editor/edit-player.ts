import { newReverb } from '@stem-studio/contract/resources/lane-effects';
import type { Lane, ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { type Arrangement, arrangeProject, emptyArrangement } from '@stem-studio/renderer/editor/arrangement';
import type { EditMixerCommand, EditMixerReport } from '@stem-studio/renderer/editor/edit-mixer-messages';
import type { LoudnessReading } from '@stem-studio/renderer/editor/live-loudness';
import { openStemFile } from '@stem-studio/renderer/sources/stem-file';
import type { Scope } from '../base/scope.ts';
import { type PositionReport, positionAt } from '../clock/playback-clock.ts';
import type { KernelPort } from '../graph/kernel-node.ts';
import { PeakCollector } from '../player/peak-collector.ts';
import type { LivePeaks } from '../player/song-player.ts';
import type { FetchRange, StemFile } from '../player/stem-file.ts';
import { EditLoader } from './edit-loader.ts';
import { SampleBlocks } from './sample-blocks.ts';

/** A stem of a project. */
export interface EditPlayerStem {
  readonly source: StemType;
  /** Address of its WAV file. */
  readonly url: string;
}

/** State of the player. `loading`: no stem is open yet; `buffering`: playback waits for samples. */
export type EditPlayerState = 'loading' | 'paused' | 'playing' | 'buffering' | 'failed';

/** Dependencies of an edit player. */
export interface EditPlayerOptions {
  readonly fetchRange: FetchRange;
  readonly createEngine: () => Promise<KernelPort<EditMixerCommand, EditMixerReport>>;
}

/** Values of a channel strip that are moved. */
export type StripChange = Partial<Pick<Lane, 'volume' | 'pan' | 'eq' | 'compressor' | 'reverb_send'>>;

/** Peaks since the last call: 1 is full scale. */
export interface EditLevels {
  readonly lanes: ReadonlyMap<string, number>;
  readonly master: number;
  /** Gain reduction of the compressors in dB, 0 or less, by lane. */
  readonly reductionsDb: ReadonlyMap<string, number>;
  /** Loudness of the last 3 s, and gated since playback started, in LUFS before the master fader; at least −70. */
  readonly loudness: LoudnessReading;
}

/** Length of the audio that scrubbing plays at each position, in ms. */
const SCRUB_MS = 90;
const nothing: ProjectState = {
  lanes: [],
  clipboard: null,
  markers: [],
  time_map: [],
  warps: [],
  reverb: newReverb,
  sources: [],
  duration_ms: 0,
};

/**
 * Plays a project of the editor, as soon as the samples at the playhead have arrived. Positions are in ms on the timeline.
 *
 * `files → loader → (waveforms) → edit mixer in the audio thread → output`
 *
 * @spec Editor playback
 */
export class EditPlayer {
  #state: EditPlayerState = 'loading';
  #error: string | null = null;
  readonly #scope: Scope;
  readonly #sources: readonly StemType[];
  readonly #options: EditPlayerOptions;
  readonly #listeners = new Set<() => void>();
  #engine: KernelPort<EditMixerCommand, EditMixerReport> | null = null;
  #loader: EditLoader | null = null;
  #peaks: readonly PeakCollector[] = [];
  #samples: SampleBlocks | null = null;
  #project: ProjectState = nothing;
  readonly #strips = new Map<string, StripChange>();
  #arrangement: Arrangement = emptyArrangement;
  #rateHz = 44_100;
  #wantsToPlay = false;
  #loop: { readonly startMs: number; readonly endMs: number } | null = null;
  #report: PositionReport = { positionSeconds: 0, timeSeconds: 0, isMoving: false, rate: 1 };
  /** Reports with an earlier command id are from before that command. */
  #commandId = 0;
  #lanePeaks: number[] = [];
  #masterPeak = 0;
  #reductionsDb: readonly number[] = [];
  #loudness: LoudnessReading = { shortTerm: -70, integrated: -70 };
  #endScrub: (() => void) | null = null;

  private constructor(scope: Scope, stems: readonly EditPlayerStem[], options: EditPlayerOptions) {
    this.#scope = scope.child();
    this.#sources = stems.map(({ source }) => source);
    this.#options = options;
    void this.#open(stems);
  }

  /** Opens a player; its stems load in the background. It ends with the scope. */
  static open(scope: Scope, stems: readonly EditPlayerStem[], options: EditPlayerOptions): EditPlayer {
    return new EditPlayer(scope, stems, options);
  }

  /** State of the player. */
  get state(): EditPlayerState {
    return this.#state;
  }

  /** Why it failed; null unless it did. */
  get error(): string | null {
    return this.#error;
  }

  /** Part of the samples that have arrived, by source, for waveforms; null until the file is open. */
  peaks(source: StemType): LivePeaks | null {
    return this.#peaks[this.#sources.indexOf(source)] ?? null;
  }

  /** Samples of a stem in blocks of `CHUNK_FRAMES`, for waveforms; null while they are read. */
  samples(source: StemType, block: number): Float32Array | null {
    return this.#samples?.block(this.#sources.indexOf(source), block) ?? null;
  }

  /** Number of blocks of samples that have arrived. */
  get samplesVersion(): number {
    return this.#samples?.version ?? 0;
  }

  /** Sets what is played from now on. */
  setState(project: ProjectState): void {
    this.#project = project;
    this.#strips.clear();
    this.#arrange();
  }

  /** Sets a part of the channel strip of a lane while it is dragged, until the next {@link setState}. */
  setStrip(lane: string, change: StripChange): void {
    this.#strips.set(lane, { ...this.#strips.get(lane), ...change });
    this.#arrange();
  }

  /** Starts playback at the position; from the beginning after the end. */
  play(): void {
    this.#endScrub?.();
    this.#wantsToPlay = true;
    this.#engine?.wake();
    if (this.#state === 'failed' && this.#loader) {
      this.#error = null;
      this.#loader.retry();
    }
    this.#engine?.post({ type: 'play', id: ++this.#commandId });
    this.#setPlayerState(this.#engine ? 'playing' : 'loading');
  }

  /** Stops playback; the position stays. */
  pause(): void {
    this.#wantsToPlay = false;
    this.#report = { ...this.#report, positionSeconds: this.positionMs() / 1000, isMoving: false };
    this.#engine?.post({ type: 'pause', id: ++this.#commandId });
    if (this.#engine) this.#setPlayerState('paused');
  }

  /** Moves the playhead. */
  seek(ms: number): void {
    const positionSeconds = Math.max(0, ms) / 1000;
    const timeSeconds = this.#engine?.nowSeconds() ?? 0;
    this.#report = { ...this.#report, positionSeconds, timeSeconds };
    const frame = Math.round(positionSeconds * this.#rateHz);
    this.#engine?.post({ type: 'seek', frame, id: ++this.#commandId });
    this.#follow(frame);
  }

  /** Sets the looped part; null ends it. */
  setLoop(loop: { readonly startMs: number; readonly endMs: number } | null): void {
    this.#loop = loop;
    this.#engine?.post({ type: 'loop', loop: this.#loopFrames() });
    this.#follow(Math.round((this.positionMs() * this.#rateHz) / 1000));
  }

  /** Sets the gain of the output, linear. */
  setMasterGain(gain: number): void {
    this.#engine?.post({ type: 'master', gain });
  }

  /** Plays a short part at a position while the pointer moves there; null ends it. Has no effect during playback. */
  scrub(ms: number | null): void {
    if (ms === null) {
      this.#endScrub?.();
      return;
    }
    if (this.#wantsToPlay || !this.#engine) {
      this.seek(ms);
      return;
    }
    this.#endScrub?.();
    this.#engine.wake();
    this.seek(ms);
    this.#engine.post({ type: 'play', id: ++this.#commandId });
    const cancel = this.#scope.after(SCRUB_MS, () => this.#endScrub?.());
    this.#endScrub = () => {
      cancel();
      this.#endScrub = null;
      this.#engine?.post({ type: 'pause', id: ++this.#commandId });
      this.seek(ms);
    };
  }

  /** Returns the audible position, extrapolated from the last report. */
  positionMs(): number {
    const now = this.#engine?.nowSeconds() ?? this.#report.timeSeconds;
    const loop = this.#loop && {
      startSeconds: this.#loop.startMs / 1000,
      endSeconds: this.#loop.endMs / 1000,
    };
    return 1000 * positionAt(this.#report, now, Number.POSITIVE_INFINITY, loop);
  }

  /** Returns the peaks since the last call. */
  levels(): EditLevels {
    const lanes = new Map(
      this.#arrangement.lanes.map(({ id }, index): [string, number] => [id, this.#lanePeaks[index] ?? 0]),
    );
    const reductionsDb = new Map(
      this.#arrangement.lanes.map(({ id }, index): [string, number] => [id, this.#reductionsDb[index] ?? 0]),
    );
    const master = this.#masterPeak;
    this.#lanePeaks = [];
    this.#masterPeak = 0;
    return { lanes, master, reductionsDb, loudness: this.#loudness };
  }

  /** Calls `listener` when the state or the error changes; the returned function ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #open(stems: readonly EditPlayerStem[]): Promise<void> {
    const { fetchRange, createEngine } = this.#options;
    try {
      const files = await Promise.all(
        stems.map(({ url }) => openStemFile(url, fetchRange, this.#scope.signal)),
      );
      this.#rateHz = commonRate(files);
      const engine = await createEngine();
      if (this.#scope.isDisposed) {
        engine.dispose();
        return;
      }
      this.#engine = engine;
      this.#scope.own(() => engine.dispose());
      this.#peaks = files.map((file) => new PeakCollector(file.frames, file.channels));
      this.#samples = new SampleBlocks(files, this.#scope);
      this.#loader = new EditLoader(files, {
        arrived: (source, index, samples) => {
          this.#peaks[source]?.add(index, samples);
          engine.post({ type: 'chunk', source, index, samples }, [samples.buffer]);
        },
        dropped: (source, index) => engine.post({ type: 'drop', source, index }),
        failed: (error) => this.#fail(error),
      });
      this.#scope.own(() => this.#loader?.close());
      engine.onReport((report) => this.#receive(report));
      engine.post({ type: 'setup', sources: files.map(({ frames, channels }) => ({ frames, channels })) });
      this.#setPlayerState('paused');
      this.#arrange();
      engine.post({ type: 'loop', loop: this.#loopFrames() });
      this.seek(1000 * this.#report.positionSeconds);
      if (this.#wantsToPlay) this.play();
    } catch (error) {
      if (!this.#scope.isDisposed) this.#fail(error);
    }
  }

  #arrange(): void {
    if (!this.#engine) return;
    const lanes = this.#project.lanes.map((lane) => ({ ...lane, ...this.#strips.get(lane.id) }));
    this.#arrangement = arrangeProject({ ...this.#project, lanes }, this.#sources, this.#rateHz);
    this.#engine.post({ type: 'arrangement', arrangement: this.#arrangement });
    this.#follow(Math.round((this.positionMs() * this.#rateHz) / 1000));
  }

  #follow(frame: number): void {
    this.#loader?.follow(this.#arrangement, frame, this.#loopFrames()?.startFrame ?? null);
  }

  #loopFrames(): { startFrame: number; endFrame: number } | null {
    if (!this.#loop) return null;
    const frameOf = (ms: number) => Math.round((ms * this.#rateHz) / 1000);
    return { startFrame: frameOf(this.#loop.startMs), endFrame: frameOf(this.#loop.endMs) };
  }

  #receive(report: EditMixerReport): void {
    for (const [index, peak] of report.lanePeaks.entries())
      this.#lanePeaks[index] = Math.max(this.#lanePeaks[index] ?? 0, peak);
    this.#masterPeak = Math.max(this.#masterPeak, report.outputPeak);
    this.#reductionsDb = report.reductionsDb;
    this.#loudness = report.loudness;
    if (report.commandId < this.#commandId) return;
    const isMoving = report.transport === 'playing';
    const positionSeconds = report.frame / this.#rateHz;
    this.#report = { positionSeconds, timeSeconds: report.timeSeconds, isMoving, rate: 1 };
    this.#follow(report.frame);
    if (this.#state === 'failed' || this.#endScrub) return;
    if (report.transport === 'ended') this.#wantsToPlay = false;
    this.#setPlayerState(report.transport === 'ended' ? 'paused' : report.transport);
  }

  #fail(error: unknown): void {
    this.pause();
    this.#error = error instanceof Error ? error.message : String(error);
    this.#setPlayerState('failed');
  }

  #setPlayerState(state: EditPlayerState): void {
    if (state === this.#state && state !== 'failed') return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the sample rate of all files, which is that of the output. Throws where they differ. */
function commonRate(files: readonly StemFile[]): number {
  const rates = new Set(files.map((file) => file.sampleRateHz));
  const [rateHz] = rates;
  if (rateHz !== 44_100 || rates.size > 1)
    throw new RangeError(
      `the editor plays stems of 44,100 Hz (got ${[...rates].join(', ')} Hz): separate the track with a local model`,
    );
  return rateHz;
}
