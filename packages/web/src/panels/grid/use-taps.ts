import { secondsSince } from '@stem-studio/audio/base/page-clock';
import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { LEAST_TAPS } from '@stem-studio/dsp/rhythm/grid/tap-tempo';
import { useRef, useState } from 'react';
import { useScope } from '../../ui/use-scope.ts';
import { noTaps, overAfterMs, type TapSeries, withTap } from './tap-series.ts';

/** Tapping along with a song. */
export interface Taps {
  readonly series: TapSeries;
  /** Taps at a moment of the page's clock (milliseconds), as events tell it. Nothing while the song stands. */
  readonly tap: (timeStampMs: number) => void;
}

/**
 * Collects taps on what is heard: the place of a tap is that of the moment when the key went down, not when the page
 * came to know. When the hand rests, `onDone` gets a series of four or more that keep a beat.
 */
export function useTaps(player: SongPlayer | null, onDone: (places: readonly number[]) => void): Taps {
  const [series, setSeries] = useState<TapSeries>(noTaps);
  const latest = useRef(noTaps);
  const timers = useRef<Scope | null>(null);
  useScope((scope) => void (timers.current = scope), []);
  const forget = useRef<() => void>(() => undefined);
  const set = (next: TapSeries) => {
    latest.current = next;
    setSeries(next);
  };
  return {
    series,
    tap(timeStampMs) {
      if (player?.state.getState().transport !== 'playing') return;
      const place = player.positionSeconds() - secondsSince(timeStampMs);
      set(withTap(latest.current, Math.max(0, place)));
      forget.current();
      forget.current =
        timers.current?.after(overAfterMs(latest.current), () => {
          const { taps, fit } = latest.current;
          set(noTaps);
          if (fit && taps.length >= LEAST_TAPS) onDone(taps);
        }) ?? forget.current;
    },
  };
}
