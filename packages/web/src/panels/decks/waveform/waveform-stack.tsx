import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { openPhaseMeter } from '../../../canvas/decks/phase-meter.ts';
import { openScrollingWaveform } from '../../../canvas/decks/scrolling-waveform.ts';
import { djArrangement } from '../../../state/decks/dj-layout.state.ts';
import { zoomedSpan } from '../../../state/decks/dj-state.ts';
import { useScope } from '../../../ui/use-scope.ts';
import { useStore } from '../../../ui/use-store.ts';
import { type ScratchDrag, startScratch } from '../deck/scratch.ts';
import { useDeckTrack } from '../deck/use-deck-track.ts';
import { useDeck, useDjEngine } from '../dj-context.ts';
import styles from './waveform-stack.module.css';

/** Scrolling waveforms of both decks at one scale, with the phase meter between them. */
export function WaveformStack({ stack }: { stack: RefObject<HTMLDivElement | null> }) {
  const engine = useDjEngine();
  const phase = useRef<HTMLCanvasElement>(null);
  useScope(
    (scope) => {
      if (phase.current) openPhaseMeter(scope, engine.animation, phase.current, engine);
    },
    [engine],
  );
  const zoom = (notches: number) =>
    engine.state.setState(({ spanSeconds }) => ({ spanSeconds: zoomedSpan(spanSeconds, notches) }));
  const wheeled = useRef(0);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    // A pinch on a touchpad reports many small steps, a mouse wheel few large ones.
    wheeled.current += event.deltaY;
    const notch = event.ctrlKey ? 12 : 60;
    if (Math.abs(wheeled.current) < notch) return;
    zoom(Math.sign(wheeled.current));
    wheeled.current = 0;
  });
  useScope((scope) => {
    // React's wheel listeners are passive and cannot prevent the default.
    if (stack.current)
      scope.listen(stack.current, 'wheel', (event) => onWheel(event as WheelEvent), { passive: false });
  }, []);
  return (
    <div ref={stack} className={styles['stack']} role="group" aria-label="Waveforms" data-waveforms>
      <Wave deck="a" onZoom={zoom} />
      <canvas ref={phase} className={styles['phase']} aria-hidden="true" />
      <Wave deck="b" onZoom={zoom} />
    </div>
  );
}

function Wave({ deck, onZoom }: { deck: DeckId; onZoom: (notches: number) => void }) {
  const engine = useDjEngine();
  const { peaks, sections } = useDeckTrack(deck);
  const canvas = useRef<HTMLCanvasElement>(null);
  const coloring = useStore(djArrangement, (arrangement) => arrangement.coloring);
  const shown = useRef({ peaks, sections, coloring });
  useEffect(() => {
    shown.current = { peaks, sections, coloring };
  }, [peaks, sections, coloring]);
  const own = useRef<Parameters<Parameters<typeof useScope>[0]>[0] | null>(null);
  useScope(
    (scope) => {
      own.current = scope;
      if (canvas.current)
        openScrollingWaveform(scope, engine.animation, canvas.current, engine, deck, () => shown.current);
    },
    [engine, deck],
  );
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const drag = useDrag(deck, own, onZoom);
  return (
    <div className={styles['wave']} data-wave data-deck={deck} {...drag}>
      <canvas ref={canvas} aria-hidden="true" />
      <span className={styles['letter']} aria-hidden="true">
        {deck.toUpperCase()}
      </span>
      {!isEmpty && coloring === 'stems' && <ColoringNote deck={deck} />}
      {isEmpty && (
        <p className={styles['empty']}>
          Deck {deck.toUpperCase()} is empty. Drag a track here, or onto the deck.
        </p>
      )}
    </div>
  );
}

/** Why a waveform has the colours of the bands although those of the stems are selected. */
function ColoringNote({ deck }: { deck: DeckId }) {
  const engine = useDjEngine();
  const hasStems = useDeck(deck, ({ stems }) => stems.length > 0);
  const isSounding = useStore(engine.status, (status) => status.isSounding);
  if (hasStems && isSounding) return null;
  return (
    <span className={styles['note']}>
      {hasStems ? 'Stem colors: in the window that plays audio' : 'No stems loaded: colors by band'}
    </span>
  );
}

/** Pointer handlers of a waveform: a drag scratches, two fingers zoom. */
function useDrag(
  deck: DeckId,
  own: { readonly current: Parameters<Parameters<typeof useScope>[0]>[0] | null },
  onZoom: (notches: number) => void,
) {
  const engine = useDjEngine();
  const fingers = useRef(new Map<number, number>());
  const drag = useRef<{ pointer: number; x: number; scratch: ScratchDrag } | null>(null);
  const pinch = useRef(0);
  const spread = () => {
    const [one = 0, other = 0] = fingers.current.values();
    return Math.abs(one - other);
  };
  const end = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    if (drag.current?.pointer !== event.pointerId) return;
    drag.current.scratch.end();
    drag.current = null;
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || !own.current) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      fingers.current.set(event.pointerId, event.clientX);
      if (fingers.current.size === 2) {
        drag.current?.scratch.end();
        drag.current = null;
        pinch.current = spread();
      } else if (fingers.current.size === 1 && engine.decks.session.getState().decks[deck].track_id !== null)
        drag.current = {
          pointer: event.pointerId,
          x: event.clientX,
          scratch: startScratch(own.current, engine, deck),
        };
    },
    onPointerMove(event: PointerEvent) {
      if (!fingers.current.has(event.pointerId)) return;
      fingers.current.set(event.pointerId, event.clientX);
      if (fingers.current.size === 2) {
        const now = spread();
        if (Math.abs(now - pinch.current) < 40) return;
        onZoom(now > pinch.current ? -1 : 1);
        pinch.current = now;
        return;
      }
      const from = drag.current;
      if (from?.pointer !== event.pointerId) return;
      const { tempo_percent } = engine.decks.session.getState().decks[deck];
      const perPixel =
        (engine.state.getState().spanSeconds * (1 + tempo_percent / 100)) /
        Math.max(1, event.currentTarget.clientWidth);
      from.scratch.move((from.x - event.clientX) * perPixel);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
