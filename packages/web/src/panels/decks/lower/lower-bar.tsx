import { type RefObject, useRef } from 'react';
import {
  chooseLayout,
  type DjLayout,
  djArrangement,
  djLayouts,
  initialLowerPx,
  LEAST_LOWER_PX,
  type LowerTab,
  lowerTabs,
  MOST_LOWER_PX,
  setLowerHeight,
  showLowerTab,
} from '../../../state/decks/dj-layout.state.ts';
import { zoomedSpan } from '../../../state/decks/dj-state.ts';
import { IconButton } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { useDjEngine, useDjState } from '../dj-context.ts';
import { StatusLines } from '../status-lines.tsx';
import styles from './lower-bar.module.css';
import { lowerPanels } from './lower-panels.ts';

const layoutLabels: Readonly<Record<DjLayout, { text: string; title: string }>> = {
  library: { text: 'Library', title: 'Two decks with the library below' },
  decks: { text: 'Decks', title: 'Two decks, large' },
  waveforms: { text: 'Waves', title: 'Waveforms, large' },
  stems: { text: 'Stems', title: 'Stems of both decks, large' },
};

const tabLabels: Readonly<Record<LowerTab, string>> = { library: 'Library', sampler: 'Sampler' };

/** Tabs that have something to show: the list of the library, which the page keeps, and the panels of the decks. */
const shownTabs = lowerTabs.filter((name) => name === 'library' || lowerPanels[name]);

/** Distance that an arrow key moves the divider by: one row of the library, in pixels. */
const ROW_PX = 28;

/**
 * Bar between the decks and the region below them: the divider, the tabs of the region, the status of the decks, and the
 * tools of the page.
 */
export function LowerBar({ bar }: { bar: RefObject<HTMLDivElement | null> }) {
  const engine = useDjEngine();
  const layout = useStore(djArrangement, (arrangement) => arrangement.layout);
  const span = useDjState((state) => state.spanSeconds);
  const zoom = (notches: number) =>
    engine.state.setState(({ spanSeconds }) => ({ spanSeconds: zoomedSpan(spanSeconds, notches) }));
  return (
    <div ref={bar} className={styles['bar']} data-lower-bar>
      {layout === 'library' && <Divider />}
      <LowerTabs />
      <div className={styles['status']}>
        <StatusLines />
      </div>
      <div className={styles['layouts']} role="group" aria-label="Layout">
        {djLayouts.map((name) => (
          <button
            key={name}
            type="button"
            title={layoutLabels[name].title}
            aria-pressed={layout === name}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => chooseLayout(name)}
          >
            {layoutLabels[name].text}
          </button>
        ))}
      </div>
      <div className={styles['tools']} role="group" aria-label={`Visible time: ${span} seconds`}>
        <IconButton small icon="zoomOut" label="Zoom out (Shift ↓, wheel)" onClick={() => zoom(1)} />
        <IconButton small icon="zoomIn" label="Zoom in (Shift ↑, wheel)" onClick={() => zoom(-1)} />
        <IconButton
          small
          icon="keyboard"
          label="Keyboard shortcuts (?)"
          onClick={() => engine.state.setState({ isListingKeys: true })}
        />
      </div>
    </div>
  );
}

function LowerTabs() {
  const layout = useStore(djArrangement, (arrangement) => arrangement.layout);
  const tab = useStore(djArrangement, ({ lowerTab }) => lowerTab);
  return (
    <div className={styles['tabs']} role="tablist" aria-label="Below the decks">
      {shownTabs.map((name, at) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={layout === 'library' && tab === name}
          tabIndex={tab === name ? 0 : -1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => showLowerTab(name)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
            event.preventDefault();
            event.stopPropagation();
            const to = (at + (event.key === 'ArrowLeft' ? shownTabs.length - 1 : 1)) % shownTabs.length;
            showLowerTab(shownTabs[to] ?? 'library');
            const next = event.currentTarget.parentElement?.children[to];
            if (next instanceof HTMLElement) next.focus();
          }}
        >
          {tabLabels[name]}
        </button>
      ))}
    </div>
  );
}

/** Divider between the decks and the region below: drag it, or move it by arrow keys; a double click resets it. */
function Divider() {
  const divider = useRef<HTMLDivElement>(null);
  const lowerPx = useStore(djArrangement, (arrangement) => arrangement.lowerPx);
  const drag = useRef<{ pointer: number; y: number; px: number } | null>(null);
  /** Height of the region as it is drawn: the decks may leave it less than it was set to. */
  const drawnPx = () => {
    const bar = divider.current?.parentElement;
    const page = bar?.closest('main');
    return bar && page ? page.getBoundingClientRect().bottom - bar.getBoundingClientRect().bottom : 0;
  };
  const end = () => {
    if (!drag.current) return;
    drag.current = null;
    setLowerHeight(drawnPx());
  };
  return (
    <div
      ref={divider}
      className={styles['divider']}
      role="separator"
      aria-label="Height of the library"
      aria-orientation="horizontal"
      aria-valuemin={LEAST_LOWER_PX}
      aria-valuemax={MOST_LOWER_PX}
      aria-valuenow={lowerPx ?? initialLowerPx(innerHeight)}
      tabIndex={0}
      title="Drag to resize; double-click: reset"
      onDoubleClick={() => setLowerHeight(null)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { pointer: event.pointerId, y: event.clientY, px: drawnPx() };
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (from?.pointer === event.pointerId) setLowerHeight(from.px + from.y - event.clientY);
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={(event) => {
        const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 4, PageDown: -4 }[event.key];
        const px =
          event.key === 'Home'
            ? LEAST_LOWER_PX
            : event.key === 'End'
              ? MOST_LOWER_PX
              : steps && steppedPx(steps, drawnPx());
        if (px === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        setLowerHeight(px);
      }}
    />
  );
}

/** Returns the height after key presses; several of them may come before the next frame is drawn. */
function steppedPx(steps: number, drawnPx: number): number {
  const px = djArrangement.getState().lowerPx ?? drawnPx;
  return (steps < 0 ? Math.min(px, drawnPx) : px) + steps * ROW_PX;
}
