import type { StoreApi } from 'zustand/vanilla';
import type { LoopRegion } from '../clock/playback-clock.ts';
import type { MetronomeBeats } from '../metronome/metronome.ts';
import type { EqBand, MetronomeSetting, PlayerState } from './player-state.ts';

/** Waveform of a source as it arrives: lowest and highest sample per peak, ±127. */
export interface LivePeaks {
  readonly min: Int8Array;
  readonly max: Int8Array;
  /** Sample frames per peak. */
  readonly framesPerPeak: number;
  /** Grows with everything that arrives. */
  readonly version: number;
  /** Whether the peak at `index` is known. */
  has(index: number): boolean;
}

/** A player of stems or of a whole song. Positions are in seconds of the song. */
export interface SongPlayer {
  readonly state: Pick<StoreApi<PlayerState>, 'getState' | 'subscribe'>;
  /** Audible position. */
  positionSeconds(): number;
  /** Level of row `index`, 0 to 1 and above; null where unknown. */
  level(index: number): number | null;
  /** Waveform of row `index`; null where no samples are read. */
  peaks(index: number): LivePeaks | null;
  play(): void;
  pause(): void;
  toggle(): void;
  seek(seconds: number): void;
  setVolume(index: number, volume: number): void;
  toggleMute(index: number): void;
  toggleSolo(index: number): void;
  /** Sets the pan of row `index`, −1 (left) to 1 (right). The centre is as recorded. */
  setPan(index: number, pan: number): void;
  /** Sets the gain of an equaliser band of row `index`, −24 to +12 dB; −Infinity kills the band. */
  setEq(index: number, band: EqBand, gainDb: number): void;
  setMasterVolume(volume: number): void;
  /** Sets the tempo in percent of the recorded one, rounded to hundredths; no effect where unsupported. */
  setTempo(percent: number): void;
  /** Sets the pitch shift in whole semitones; no effect where unsupported. */
  setKey(semitones: number): void;
  /** Sets and activates the loop; null clears it. */
  setLoop(loop: LoopRegion | null): void;
  /** Activates or deactivates an existing loop. */
  toggleLooping(): void;
  /** Sets the metronome; it clicks on the beats of {@link setBeats} while the song plays. */
  setMetronome(metronome: MetronomeSetting): void;
  /** Sets how many bars are counted in before playback starts at the bar of the position, 0 to 2. */
  setCountIn(bars: number): void;
  /** Sets the beats for metronome and count-in, in seconds of the song. */
  setBeats(beats: MetronomeBeats): void;
  /** Releases everything. */
  dispose(): void;
}
