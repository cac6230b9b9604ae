import { recordPlay } from '@stem-studio/contract/endpoints/plays';
import { call } from '../client/call.ts';
import { markPlayed } from './played.state.ts';

/** Playing time after which a track counts as played, in seconds. */
export const PLAYED_SECONDS = 30;

/** Returns the playing time after which a track counts as played: half a minute, or half of a shorter track. */
export function playedAfter(durationSeconds: number): number {
  return durationSeconds > 0 ? Math.min(PLAYED_SECONDS, durationSeconds / 2) : PLAYED_SECONDS;
}

/** Marks a track as played since the log-in, and counts the play on the service, which may be out of reach. */
export function countPlay(trackId: string, source: 'deck_a' | 'deck_b' | 'player'): void {
  markPlayed(trackId);
  // A play is a statistic: its loss does not disturb the music.
  void call(recordPlay, { params: { id: trackId }, body: { source } }).catch(() => undefined);
}

/** Counts a track once per time that it is played through a player. */
export class PlayCounter {
  #trackId: string | null = null;
  #seconds = 0;
  #isCounted = false;
  readonly #count: (trackId: string) => void;

  /** @param count called when a track has been played for long enough */
  constructor(count: (trackId: string) => void) {
    this.#count = count;
  }

  /** Adds playing time of a track. Another track, or {@link restart}, begins anew. */
  add(trackId: string, seconds: number, durationSeconds: number): void {
    if (trackId !== this.#trackId) {
      this.#trackId = trackId;
      this.restart();
    }
    this.#seconds += seconds;
    if (this.#isCounted || this.#seconds < playedAfter(durationSeconds)) return;
    this.#isCounted = true;
    this.#count(trackId);
  }

  /** Begins anew, because the track was played to its end. */
  restart(): void {
    this.#seconds = 0;
    this.#isCounted = false;
  }
}
