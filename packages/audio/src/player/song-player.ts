import type { StoreApi } from 'zustand/vanilla';
import type { LoopRegion } from '../clock/playback-clock.ts';
import type { PlayerState } from './player-state.ts';

/** Lowest and highest sample of each piece of a sound, ±127, as it arrives. */
export interface LivePeaks {
  readonly min: Int8Array;
  readonly max: Int8Array;
  /** Sample frames a piece. */
  readonly framesPerPeak: number;
  /** Grows with everything that arrives. */
  readonly version: number;
  /** Whether the piece at `index` has arrived. */
  has(index: number): boolean;
}

/** What a player can do, whether it plays stems or the whole song. Places are in seconds of the song. */
export interface SongPlayer {
  readonly state: Pick<StoreApi<PlayerState>, 'getState' | 'subscribe'>;
  /** The place that is heard now. */
  positionSeconds(): number;
  /** How loud row `index` is now, 0 to 1 and above; null where it cannot be sent. */
  level(index: number): number | null;
  /** The waveform of row `index`; null where it is not scheduled from samples. */
  peaks(index: number): LivePeaks | null;
  play(): void;
  pause(): void;
  toggle(): void;
  seek(seconds: number): void;
  setVolume(index: number, volume: number): void;
  toggleMute(index: number): void;
  toggleSolo(index: number): void;
  setMasterVolume(volume: number): void;
  /** Tempo in whole percent of the recorded one; where it cannot be changed, nothing happens. */
  setTempo(percent: number): void;
  /** Whole semitones up or down; where the key cannot be changed, nothing happens. */
  setKey(semitones: number): void;
  /** Sets the loop and starts looping; null takes it away. */
  setLoop(loop: LoopRegion | null): void;
  /** Loops or stops looping, where there is a loop. */
  toggleLooping(): void;
  /** Lets go of everything it holds. */
  dispose(): void;
}
