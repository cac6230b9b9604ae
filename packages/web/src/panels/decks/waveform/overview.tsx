import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { openOverview } from '../../../canvas/decks/overview-canvas.ts';
import { djArrangement } from '../../../state/decks/dj-layout.state.ts';
import { useScope } from '../../../ui/use-scope.ts';
import { useStore } from '../../../ui/use-store.ts';
import styles from '../deck/deck-panel.module.css';
import { useDeck, useDjEngine } from '../dj-context.ts';

/** Distances that arrow keys and Page keys move the playback position by, in seconds. */
const ARROW_SECONDS = 5;
const PAGE_SECONDS = 30;

/** Overview of a deck's track with its cues, loop and playback position; a press jumps there. */
export function Overview({
  deck,
  peaks,
  positionSlider,
  children,
}: {
  deck: DeckId;
  peaks: WaveformPeaks | null;
  positionSlider: Ref<HTMLDivElement>;
  /** Shown over the overview. */
  children?: ReactNode;
}) {
  const engine = useDjEngine();
  const durationMs = useDeck(deck, (state) => state.duration_ms);
  const canvas = useRef<HTMLCanvasElement>(null);
  const played = useRef<HTMLSpanElement>(null);
  const coloring = useStore(djArrangement, (arrangement) => arrangement.coloring);
  const shown = useRef({ peaks, coloring });
  useEffect(() => {
    shown.current = { peaks, coloring };
  }, [peaks, coloring]);
  useScope(
    (scope) => {
      if (canvas.current && played.current)
        openOverview(
          scope,
          engine.animation,
          canvas.current,
          played.current,
          engine,
          deck,
          () => shown.current,
        );
    },
    [engine, deck],
  );
  const seek = (ms: number) => {
    if (durationMs > 0)
      engine.decks.dispatch({ event: 'seek', deck, position_ms: Math.min(durationMs, Math.max(0, ms)) });
  };
  const scrub = (event: PointerEvent) => {
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    } else return;
    const box = event.currentTarget.getBoundingClientRect();
    seek(((event.clientX - box.left) / Math.max(1, box.width)) * durationMs);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = engine.decks.positionSeconds(deck) * 1000;
    const target: Readonly<Record<string, number>> = {
      ArrowLeft: now - ARROW_SECONDS * 1000,
      ArrowRight: now + ARROW_SECONDS * 1000,
      PageDown: now - PAGE_SECONDS * 1000,
      PageUp: now + PAGE_SECONDS * 1000,
      Home: 0,
      End: durationMs,
    };
    const ms = target[event.key];
    if (ms === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    seek(ms);
  };
  return (
    <div className={styles['overview']}>
      <canvas ref={canvas} aria-hidden="true" />
      <span ref={played} className={styles['played']} aria-hidden="true" />
      <div
        ref={positionSlider}
        className={styles['position']}
        role="slider"
        tabIndex={0}
        aria-label={`Position of deck ${deck.toUpperCase()}`}
        aria-valuemin={0}
        aria-valuemax={Math.floor(durationMs / 1000)}
        aria-valuenow={0}
        onPointerDown={scrub}
        onKeyDown={onKeyDown}
      />
      {children}
    </div>
  );
}
