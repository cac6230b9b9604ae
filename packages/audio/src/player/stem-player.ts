import type { StemType } from '@stem-studio/contract/resources/stem';
import type { StemMixerCommand, StemMixerReport } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { Scope } from '../base/scope.ts';
import { type LoopRegion, type PositionReport, positionAt } from '../clock/playback-clock.ts';
import type { KernelPort } from '../graph/kernel-node.ts';
import type { MetronomeBeats } from '../metronome/metronome.ts';
import { loopFramesOf, metronomeCommands, stretchCommand, stripsOf } from './mixer-commands.ts';
import {
  clampedCountIn,
  clampedMetronome,
  createPlayerState,
  createRow,
  type EqBand,
  FASTEST_PERCENT,
  MAX_KEY_SEMITONES,
  type MetronomeSetting,
  type PlayerRow,
  type PlayerState,
  SLOWEST_PERCENT,
  withEq,
  withRow,
} from './player-state.ts';
import { SeparationSwitch } from './separation-switch.ts';
import type { LivePeaks, SongPlayer } from './song-player.ts';
import type { FetchRange } from './stem-file.ts';
import { StemSet, type StemSetSource } from './stem-set.ts';

/** Port to the stem mixer: an audio worklet in the browser, the mixer itself in tests. */
export type MixerEngine = KernelPort<StemMixerCommand, StemMixerReport>;

/** Dependencies of a stem player. */
export interface StemPlayerOptions {
  /** Id of the separation that the stems are of. */
  separation?: string;
  stems: StemSetSource['stems'];
  fetchRange: FetchRange;
  createEngine: (sampleRateHz: number) => Promise<MixerEngine>;
  /** Most bytes of samples to keep. */
  memoryBytes?: number;
}

/**
 * Plays the stems of a song in sync, as soon as the first second of each has arrived. {@link StemPlayer.show} switches to
 * another separation of the song at the same position.
 *
 * `files → loader → (waveform) → mixer in the audio thread → output`
 */
export class StemPlayer implements SongPlayer {
  readonly state: StoreApi<PlayerState>;
  readonly #scope = new Scope();
  readonly #options: StemPlayerOptions;
  #engine: MixerEngine | null = null;
  #switch: SeparationSwitch | null = null;
  /** The separation that was selected before the first one was open. */
  #selected: StemSetSource | null = null;
  /** Faders, mute and solo of every stem type that was shown, so that other separations keep them. */
  readonly #known = new Map<PlayerRow['type'], PlayerRow>();
  #levels: number[] = [];
  #beats: MetronomeBeats = { beats: [], downbeats: [] };
  #sampleRateHz = 44_100;
  #wantsToPlay = false;
  #report: PositionReport = { positionSeconds: 0, timeSeconds: 0, isMoving: false, rate: 1 };
  /** Reports with an earlier command id are from before that command. */
  #commandId = 0;

  constructor(options: StemPlayerOptions) {
    this.#options = options;
    this.state = createStore(() => ({
      ...createPlayerState(options.stems.map((stem) => stem.type)),
      separation: options.separation ?? null,
    }));
    void this.#open();
  }

  async #open(): Promise<void> {
    const { stems, separation = '', fetchRange, createEngine, memoryBytes } = this.#options;
    const post: MixerEngine['post'] = (command, transfer) => this.#engine?.post(command, transfer);
    try {
      const first = await StemSet.open({ id: separation, stems }, this.#scope, {
        fetchRange,
        group: 0,
        memoryBytes,
        post,
        onProgress: () => this.#showLoaded(),
        onFailure: (error) => this.#fail(error),
      });
      this.#sampleRateHz = first.sampleRateHz;
      const engine = await createEngine(this.#sampleRateHz);
      if (this.#scope.isDisposed) {
        engine.dispose();
        return;
      }
      this.#engine = engine;
      this.#scope.own(() => engine.dispose());
      engine.onReport((report) => this.#receive(report));
      engine.post({ type: 'setup', sampleRateHz: this.#sampleRateHz, stems: first.shapes });
      this.#switch = this.#createSwitch(first, post);
      this.state.setState({ status: 'ready', durationSeconds: first.frames / this.#sampleRateHz });
      this.#postGains();
      this.#postLoop();
      const state = this.state.getState();
      this.#post(stretchCommand(state), ...metronomeCommands(state), { type: 'beats', ...this.#beats });
      this.seek(this.#report.positionSeconds);
      if (this.#wantsToPlay) this.play();
      first.loader.fill();
      if (this.#selected) this.show(this.#selected);
    } catch (error) {
      if (!this.#scope.isDisposed) this.#fail(error);
    }
  }

  #createSwitch(first: StemSet, post: MixerEngine['post']): SeparationSwitch {
    return new SeparationSwitch(first, {
      scope: this.#scope,
      fetchRange: this.#options.fetchRange,
      post,
      stripsOf: (types) => stripsOf(this.#rowsOf(types)),
      position: () => ({
        frame: Math.round(this.positionSeconds() * this.#sampleRateHz),
        loop: this.#loopFrames(),
      }),
      isPlaying: () => this.#wantsToPlay,
      onChange: (error) => this.#showSeparation(error),
      onProgress: () => this.#showLoaded(),
      onFailure: (error) => this.#fail(error),
    });
  }

  /**
   * Plays another separation of the song from the same position on, with the same faders, as soon as it is loaded.
   * `state.pendingSeparation` names it until then.
   */
  show(source: StemSetSource): void {
    this.#selected = source;
    void this.#switch?.select(source);
  }

  #showSeparation(separationError: string): void {
    const { current, pendingId } = this.#switch ?? {};
    const { separation, rows } = this.state.getState();
    this.state.setState({
      separation: current?.id ?? null,
      pendingSeparation: pendingId ?? null,
      separationError,
      ...(current &&
        current.id !== separation && {
          rows: this.#rowsOf(current.types),
          // A failure was that of the separation before.
          status: 'ready' as const,
          error: '',
        }),
    });
    if (this.state.getState().rows !== rows) this.#levels = [];
    this.#showLoaded();
  }

  #showLoaded(): void {
    this.state.setState({ loadedRatio: this.#switch?.current.loader.loadedRatio ?? 0 });
  }

  #rowsOf(types: readonly StemType[]): PlayerRow[] {
    return types.map((type) => this.#known.get(type) ?? createRow(type));
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.pause();
    this.state.setState({
      status: 'failed',
      error: message,
      ...(!this.#engine && { stretchRefusal: message }),
    });
  }

  #receive(report: StemMixerReport): void {
    if (report.commandId < this.#commandId) return;
    const isMoving = report.transport === 'playing';
    const positionSeconds = report.frame / this.#sampleRateHz;
    this.#report = { positionSeconds, timeSeconds: report.timeSeconds, isMoving, rate: report.rate };
    if (this.#switch?.follow(report.group)) this.#levels = report.stemPeaks;
    const { transport } = this.state.getState();
    if (report.transport !== transport) this.state.setState({ transport: report.transport });
    if (report.transport === 'ended') this.#wantsToPlay = false;
    if (isMoving || report.transport === 'buffering')
      this.#switch?.moveTo(report.frame, this.#loopFrames(), false);
  }

  positionSeconds(): number {
    const { durationSeconds, loop, isLooping } = this.state.getState();
    const now = this.#engine?.nowSeconds() ?? this.#report.timeSeconds;
    return positionAt(this.#report, now, durationSeconds, isLooping ? loop : null);
  }

  level(index: number): number | null {
    return this.#report.isMoving ? (this.#levels[index] ?? 0) : 0;
  }

  peaks(index: number): LivePeaks | null {
    return this.#switch?.current.peaks[index] ?? null;
  }

  play(): void {
    const { countInBars } = this.state.getState();
    const countsIn = countInBars > 0 && this.#beats.beats.length > 1 && !this.#wantsToPlay;
    this.#wantsToPlay = true;
    this.#engine?.wake();
    if (this.state.getState().status === 'failed' && this.#switch) {
      this.state.setState({ status: 'ready', error: '' });
      this.#switch.current.loader.retry();
    }
    this.#engine?.post({ type: 'play', id: ++this.#commandId });
    // Shown at once; the next report, a few milliseconds later, states whether it has to wait.
    const transport = countsIn ? 'counting-in' : 'playing';
    this.state.setState({ transport: this.#engine ? transport : 'buffering' });
  }

  pause(): void {
    this.#wantsToPlay = false;
    this.#report = { ...this.#report, positionSeconds: this.positionSeconds(), isMoving: false };
    this.#engine?.post({ type: 'pause', id: ++this.#commandId });
    this.state.setState({ transport: 'paused' });
  }

  toggle(): void {
    if (this.#wantsToPlay) this.pause();
    else this.play();
  }

  seek(seconds: number): void {
    const { durationSeconds, status } = this.state.getState();
    const positionSeconds =
      status === 'loading' ? Math.max(0, seconds) : Math.min(durationSeconds, Math.max(0, seconds));
    const timeSeconds = this.#engine?.nowSeconds() ?? 0;
    this.#report = { ...this.#report, positionSeconds, timeSeconds };
    const frame = Math.round(positionSeconds * this.#sampleRateHz);
    this.#engine?.post({ type: 'seek', frame, id: ++this.#commandId });
    this.#switch?.moveTo(frame, this.#loopFrames(), true);
  }

  setVolume(index: number, volume: number): void {
    this.#setRow(index, { volume });
  }

  toggleMute(index: number): void {
    this.#setRow(index, { isMuted: !this.state.getState().rows[index]?.isMuted });
  }

  toggleSolo(index: number): void {
    this.#setRow(index, { isSoloed: !this.state.getState().rows[index]?.isSoloed });
  }

  setPan(index: number, pan: number): void {
    this.#setRow(index, { pan });
  }

  setEq(index: number, band: EqBand, gainDb: number): void {
    this.#setRows(withEq(this.state.getState().rows, index, band, gainDb));
  }

  setMasterVolume(volume: number): void {
    const masterVolume = Math.min(1, Math.max(0, volume));
    this.state.setState({ masterVolume });
    this.#engine?.post({ type: 'master', gain: masterVolume });
  }

  setTempo(percent: number): void {
    const tempoPercent = Math.min(
      FASTEST_PERCENT,
      Math.max(SLOWEST_PERCENT, Math.round(percent * 100) / 100),
    );
    this.#setStretch({ tempoPercent });
  }

  setKey(semitones: number): void {
    const keySemitones = Math.min(MAX_KEY_SEMITONES, Math.max(-MAX_KEY_SEMITONES, Math.round(semitones)));
    this.#setStretch({ keySemitones });
  }

  setLoop(loop: LoopRegion | null): void {
    this.state.setState({ loop, isLooping: loop !== null });
    this.#postLoop();
  }

  toggleLooping(): void {
    const { loop, isLooping } = this.state.getState();
    if (!loop) return;
    this.state.setState({ isLooping: !isLooping });
    this.#postLoop();
  }

  setMetronome(metronome: MetronomeSetting): void {
    this.state.setState({ metronome: clampedMetronome(metronome) });
    this.#post(...metronomeCommands(this.state.getState()));
  }

  setCountIn(bars: number): void {
    this.state.setState({ countInBars: clampedCountIn(bars) });
    this.#post(...metronomeCommands(this.state.getState()));
  }

  setBeats(beats: MetronomeBeats): void {
    this.#beats = beats;
    this.#post({ type: 'beats', ...beats });
  }

  dispose(): void {
    this.#scope.dispose();
  }

  #setRow(index: number, change: Parameters<typeof withRow>[2]): void {
    this.#setRows(withRow(this.state.getState().rows, index, change));
  }

  #setRows(rows: readonly PlayerRow[]): void {
    this.state.setState({ rows });
    for (const row of rows) this.#known.set(row.type, row);
    this.#postGains();
    if (this.#switch?.pendingId) this.#switch.postSelection();
  }

  #setStretch(change: Partial<Pick<PlayerState, 'tempoPercent' | 'keySemitones'>>): void {
    if (this.state.getState().stretchRefusal !== '') return;
    this.state.setState(change);
    this.#post(stretchCommand(this.state.getState()));
  }

  #post(...commands: readonly StemMixerCommand[]): void {
    for (const command of commands) this.#engine?.post(command);
  }

  #postGains(): void {
    this.#post({ type: 'gains', ...stripsOf(this.state.getState().rows) });
  }

  #loopFrames(): { startFrame: number; endFrame: number } | null {
    return loopFramesOf(this.state.getState(), this.#sampleRateHz);
  }

  #postLoop(): void {
    this.#post({ type: 'loop', loop: this.#loopFrames() });
  }
}
