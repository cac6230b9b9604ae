import { createStore, type StoreApi } from 'zustand/vanilla';
import { Scope } from '../base/scope.ts';
import type { LoopRegion } from '../clock/playback-clock.ts';
import {
  clampedCountIn,
  clampedMetronome,
  createPlayerState,
  type EqBand,
  effectiveGain,
  type MetronomeSetting,
  type PlayerState,
  withEq,
  withRow,
} from './player-state.ts';
import type { LivePeaks, SongPlayer } from './song-player.ts';

/** Interval at which the position is compared with the end of the loop. */
const LOOP_CHECK_MS = 15;

/**
 * Plays a whole song through an audio element until its stems are available. It streams, so an hour takes no memory;
 * its loops are accurate to some hundredths of a second, those of stems are exact.
 */
export class MixPlayer implements SongPlayer {
  readonly state: StoreApi<PlayerState>;
  readonly #scope = new Scope();
  readonly #element: HTMLAudioElement;

  /** @param element plays the file: `new Audio()` in the browser */
  constructor(address: string, element: HTMLAudioElement) {
    this.state = createStore(() => ({
      ...createPlayerState(['mix']),
      stretchRefusal: 'Separate the track to change its tempo and key.',
    }));
    this.#element = element;
    const set = (fields: Partial<PlayerState>) => this.state.setState(fields);
    const on = (type: string, listener: () => void) => this.#scope.listen(element, type, listener);
    on('loadedmetadata', () => set({ status: 'ready', durationSeconds: element.duration }));
    on('durationchange', () => set({ durationSeconds: element.duration || 0 }));
    on('progress', () => set({ loadedRatio: this.#loadedRatio() }));
    on('playing', () => set({ transport: 'playing' }));
    on('waiting', () => set({ transport: 'buffering' }));
    on('pause', () => set({ transport: element.ended ? 'ended' : 'paused' }));
    on('ended', () => set({ transport: 'ended' }));
    on('error', () =>
      set({ status: 'failed', transport: 'paused', error: 'the browser cannot play this file' }),
    );
    this.#scope.every(LOOP_CHECK_MS, () => this.#applyLoop());
    this.#scope.own(() => {
      element.pause();
      element.removeAttribute('src');
      element.load();
    });
    element.preload = 'auto';
    element.src = address;
  }

  positionSeconds(): number {
    return this.#element.currentTime;
  }

  level(): number | null {
    return null;
  }

  peaks(): LivePeaks | null {
    return null;
  }

  play(): void {
    const { transport } = this.state.getState();
    if (transport === 'ended') this.#element.currentTime = 0;
    this.#element.play().catch(() => this.state.setState({ transport: 'paused' }));
  }

  pause(): void {
    this.#element.pause();
  }

  toggle(): void {
    if (this.#element.paused) this.play();
    else this.pause();
  }

  seek(seconds: number): void {
    const { durationSeconds, transport } = this.state.getState();
    this.#element.currentTime = Math.min(durationSeconds || seconds, Math.max(0, seconds));
    if (transport === 'ended') this.state.setState({ transport: 'paused' });
  }

  setVolume(index: number, volume: number): void {
    this.#setRow(index, { volume: Math.min(1, volume) });
  }

  toggleMute(index: number): void {
    this.#setRow(index, { isMuted: !this.state.getState().rows[index]?.isMuted });
  }

  toggleSolo(): void {
    // Solo has no meaning with one row.
  }

  setPan(index: number, pan: number): void {
    this.#setRow(index, { pan });
  }

  setEq(index: number, band: EqBand, gainDb: number): void {
    this.state.setState(({ rows }) => ({ rows: withEq(rows, index, band, gainDb) }));
  }

  setMasterVolume(volume: number): void {
    this.state.setState({ masterVolume: Math.min(1, Math.max(0, volume)) });
    this.#applyVolume();
  }

  // An audio element cannot change key; tempo and key come with the stems.
  setTempo(): void {}

  setKey(): void {}

  setLoop(loop: LoopRegion | null): void {
    this.state.setState({ loop, isLooping: loop !== null });
  }

  toggleLooping(): void {
    this.state.setState(({ loop, isLooping }) => ({ isLooping: loop !== null && !isLooping }));
  }

  setMetronome(metronome: MetronomeSetting): void {
    this.state.setState({ metronome: clampedMetronome(metronome) });
  }

  setCountIn(bars: number): void {
    this.state.setState({ countInBars: clampedCountIn(bars) });
  }

  setBeats(): void {}

  dispose(): void {
    this.#scope.dispose();
  }

  #setRow(index: number, change: Parameters<typeof withRow>[2]): void {
    this.state.setState(({ rows }) => ({ rows: withRow(rows, index, change) }));
    this.#applyVolume();
  }

  #applyVolume(): void {
    const { rows, masterVolume } = this.state.getState();
    const row = rows[0];
    this.#element.volume = row ? Math.min(1, effectiveGain(row, rows)) * masterVolume : masterVolume;
  }

  #loadedRatio(): number {
    const { buffered, duration } = this.#element;
    if (!(duration > 0)) return 0;
    let seconds = 0;
    for (let i = 0; i < buffered.length; i++) seconds += buffered.end(i) - buffered.start(i);
    return Math.min(1, seconds / duration);
  }

  #applyLoop(): void {
    const { loop, isLooping } = this.state.getState();
    if (!loop || !isLooping || this.#element.paused) return;
    const past = this.#element.currentTime - loop.endSeconds;
    // Further past the end than one interval: the user moved there.
    if (past >= 0 && past < 0.3) this.#element.currentTime = loop.startSeconds + past;
  }
}
