import { secondsSince } from '@stem-studio/audio/base/page-clock';
import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { LEAST_TAPS } from '@stem-studio/dsp/rhythm/grid/tap-tempo';
import { useRef, useState } from 'react';
import { useScope } from '../../ui/use-scope.ts';
import { endAfterMs, noTaps, type TapSeries, withTap } from './tap-series.ts';

/** Tap tempo of a playing song. */
export interface Taps {
  readonly series: TapSeries;
  /** Adds a tap at an event's time stamp, in milliseconds of the page's clock. Ignored while the player is paused. */
  readonly tap: (timeStampMs: number) => void;
}

/**
 * Collects taps at the position that sounded when the key went down, not when the page received the event. After the
 * last tap of a series, `onDone` receives the positions of four or more taps that fit a tempo, in seconds.
 */
export function useTaps(
  player: SongPlayer | null,
  onDone: (positionsSeconds: readonly number[]) => void,
): Taps {
  const [series, setSeries] = useState<TapSeries>(noTaps);
  const latest = useRef(noTaps);
  const timers = useRef<Scope | null>(null);
  useScope((scope) => void (timers.current = scope), []);
  const cancelTimer = useRef<() => void>(() => undefined);
  const set = (next: TapSeries) => {
    latest.current = next;
    setSeries(next);
  };
  return {
    series,
    tap(timeStampMs) {
      if (player?.state.getState().transport !== 'playing') return;
      const positionSeconds = player.positionSeconds() - secondsSince(timeStampMs);
      set(withTap(latest.current, Math.max(0, positionSeconds)));
      cancelTimer.current();
      cancelTimer.current =
        timers.current?.after(endAfterMs(latest.current), () => {
          const { taps, fit } = latest.current;
          set(noTaps);
          if (fit && taps.length >= LEAST_TAPS) onDone(taps);
        }) ?? cancelTimer.current;
    },
  };
}
