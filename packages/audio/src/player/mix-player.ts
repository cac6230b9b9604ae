import { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import { planCountIn } from '@stem-studio/renderer/metronome/count-in';
import type { StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { Scope } from '../base/scope.ts';
import type { LoopRegion } from '../clock/playback-clock.ts';
import { type ClickOutput, Metronome, type MetronomeBeats } from '../metronome/metronome.ts';
import { stripsOf } from './mixer-commands.ts';
import {
  clampedCountIn,
  clampedMetronome,
  createPlayerState,
  type EqBand,
  effectiveGain,
  flatEq,
  type MetronomeSetting,
  type PlayerState,
  withEq,
  withRow,
} from './player-state.ts';
import type { LivePeaks, SongPlayer } from './song-player.ts';

/** Interval at which the position is compared with the end of the loop. */
const LOOP_CHECK_MS = 15;

/** Time between a press of play and the first click of a count-in, so that it is scheduled in time, in seconds. */
const LEAD_SECONDS = 0.06;

/** Pan and equaliser of an audio element. */
export interface SongStripPort {
  set(tone: StemTone): void;
  /** Resumes the audio output; browsers require a press for it. */
  wake(): void;
  dispose(): void;
}

/** Outputs of a mix player, created when they are first needed. */
export interface MixOutputs {
  /** Routes the element through pan and equaliser. Rejects where the browser cannot. */
  createStrip(element: HTMLAudioElement): Promise<SongStripPort>;
  createClicks(): ClickOutput;
}

/**
 * Plays a whole song through an audio element until its stems are available. It streams, so an hour takes no memory;
 * its loops are accurate to some hundredths of a second, those of stems are exact.
 *
 * `element → (equaliser → pan) → output`, with the clicks of the metronome beside it.
 */
export class MixPlayer implements SongPlayer {
  readonly state: StoreApi<PlayerState>;
  readonly #scope = new Scope();
  readonly #element: HTMLAudioElement;
  readonly #outputs: MixOutputs;
  /** Null until pan or equaliser are first moved; it holds null where the browser cannot. */
  #strip: Promise<SongStripPort | null> | null = null;
  #clicks: ClickOutput | null = null;
  #metronome: Metronome | null = null;
  #beats: MetronomeBeats = { beats: [], downbeats: [] };
  #countIn: Scope | null = null;

  /** @param element plays the file: `new Audio()` in the browser */
  constructor(address: string, element: HTMLAudioElement, outputs: MixOutputs) {
    this.#outputs = outputs;
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
    void this.#strip?.then((strip) => strip?.wake());
    if (!this.#startCountIn()) this.#start();
  }

  #start(): void {
    this.#element.play().catch(() => this.state.setState({ transport: 'paused' }));
  }

  pause(): void {
    if (this.#countIn) {
      this.#countIn.dispose();
      this.#countIn = null;
      this.state.setState({ transport: 'paused' });
    }
    this.#element.pause();
  }

  toggle(): void {
    if (this.#element.paused && !this.#countIn) this.play();
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
    if (this.state.getState().stripRefusal !== '') return;
    this.#setRow(index, { pan });
    this.#applyTone();
  }

  setEq(index: number, band: EqBand, gainDb: number): void {
    if (this.state.getState().stripRefusal !== '') return;
    this.state.setState(({ rows }) => ({ rows: withEq(rows, index, band, gainDb) }));
    this.#applyTone();
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
    const { isOn, gain } = clampedMetronome(metronome);
    this.state.setState({ metronome: { isOn, gain } });
    if (!isOn) {
      this.#metronome?.dispose();
      this.#metronome = null;
      return;
    }
    if (!this.#metronome) {
      this.#metronome = new Metronome(this, this.#outputs.createClicks());
      this.#metronome.follow(this.#beats);
    }
    this.#metronome.setGain(gain);
  }

  setCountIn(bars: number): void {
    this.state.setState({ countInBars: clampedCountIn(bars) });
  }

  setBeats(beats: MetronomeBeats): void {
    this.#beats = beats;
    this.#metronome?.follow(beats);
  }

  dispose(): void {
    this.#metronome?.dispose();
    this.#scope.dispose();
    this.#clicks?.dispose();
    void this.#strip?.then((strip) => strip?.dispose());
  }

  /** Starts to count in. Returns false where nothing is counted. */
  #startCountIn(): boolean {
    const { countInBars, metronome, loop, isLooping } = this.state.getState();
    const { beats, downbeats } = this.#beats;
    const seconds = this.#element.currentTime;
    if (countInBars === 0 || !this.#element.paused || this.#countIn) return this.#countIn !== null;
    const plan = planCountIn(new BeatLookup(beats, downbeats), seconds);
    if (!plan) return false;
    const least = isLooping && loop && seconds >= loop.startSeconds ? loop.startSeconds : 0;
    this.#element.currentTime = Math.max(least, plan.startSeconds);
    this.#clicks ??= this.#outputs.createClicks();
    const clicks = this.#clicks;
    clicks.setGain(metronome.gain);
    const counting = this.#scope.child();
    this.#countIn = counting;
    const from = clicks.renderedSeconds() + LEAD_SECONDS;
    const count = countInBars * plan.beatsPerBar;
    for (let beat = 0; beat < count; beat++)
      counting.own(clicks.click(from + beat * plan.beatSeconds, beat % plan.beatsPerBar === 0));
    const audibleInSeconds = from + count * plan.beatSeconds - clicks.audibleSeconds();
    counting.after(1000 * audibleInSeconds, () => {
      this.#countIn = null;
      this.#start();
      counting.dispose();
    });
    this.state.setState({ transport: 'counting-in' });
    return true;
  }

  /** Sends pan and equaliser to the strip, which is created when the first of them is moved. */
  #applyTone(): void {
    const [tone] = stripsOf(this.state.getState().rows).tones;
    if (!tone) return;
    const isNeutral = tone.pan === 0 && tone.low === 1 && tone.mid === 1 && tone.high === 1;
    if (isNeutral && !this.#strip) return;
    this.#strip ??= this.#outputs.createStrip(this.#element).catch((error: unknown) => {
      this.#refuseTone(error);
      return null;
    });
    void this.#strip.then((strip) => strip?.set(tone));
  }

  #refuseTone(error: unknown): void {
    this.state.setState(({ rows }) => ({
      rows: rows.map((row) => ({ ...row, pan: 0, eq: flatEq })),
      stripRefusal: error instanceof Error ? error.message : String(error),
    }));
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
