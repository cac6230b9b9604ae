import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { type DragEvent, useRef, useState } from 'react';
import { requestLoad } from '../../../state/decks/load-track.ts';
import { Button } from '../../../ui/button.tsx';
import { trackDragType } from '../../../ui/track-drag.ts';
import { useScope } from '../../../ui/use-scope.ts';
import { ControlButton } from '../control-parts.tsx';
import { useControl, useDeck, useDjEngine, useLocalDeck } from '../dj-context.ts';
import { EffectRow } from '../effects/effect-row.tsx';
import { Overview } from '../waveform/overview.tsx';
import { DeckHead } from './deck-head.tsx';
import styles from './deck-panel.module.css';
import { openDeckReadouts } from './deck-readouts.ts';
import { HotCues } from './hot-cues.tsx';
import { JogWheel } from './jog-wheel.tsx';
import { LoopSection } from './loop-section.tsx';
import { listenForPlay } from './play-event.ts';
import { StemSection } from './stem-section.tsx';
import { SwitchRow } from './switch-row.tsx';
import { TempoColumn } from './tempo-column.tsx';
import { useDeckTrack } from './use-deck-track.ts';

/** One deck with its track, readouts and controls. A track can be dropped anywhere on it. */
export function DeckPanel({ deck }: { deck: DeckId }) {
  const engine = useDjEngine();
  const { track, peaks } = useDeckTrack(deck);
  const { control: activate, value: activeLight } = useControl(`mixer.deck_${deck}`);
  const isActive = activeLight > 0;
  const isPlaying = useControl(`deck.${deck}.play`).value > 0;
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const [isOver, setIsOver] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const positionSlider = useRef<HTMLDivElement>(null);
  const smpte = useRef<HTMLSpanElement>(null);
  const bars = useRef<HTMLSpanElement>(null);
  const elapsed = useRef<HTMLSpanElement>(null);
  const remaining = useRef<HTMLSpanElement>(null);
  const bpm = useRef<HTMLSpanElement>(null);
  const disc = useRef<HTMLSpanElement>(null);
  useScope(
    (scope) => {
      const parts = {
        deck: panel.current,
        positionSlider: positionSlider.current,
        smpte: smpte.current,
        bars: bars.current,
        remaining: remaining.current,
        elapsed: elapsed.current,
        bpm: bpm.current,
      };
      if (
        !parts.deck ||
        !parts.positionSlider ||
        !parts.smpte ||
        !parts.bars ||
        !parts.remaining ||
        !parts.elapsed ||
        !parts.bpm
      )
        return;
      listenForPlay(scope, parts.deck, engine.controls[`deck.${deck}.play`]);
      openDeckReadouts(scope, engine.animation, engine, deck, {
        deck: parts.deck,
        positionSlider: parts.positionSlider,
        smpte: parts.smpte,
        bars: parts.bars,
        remaining: parts.remaining,
        elapsed: parts.elapsed,
        bpm: parts.bpm,
        jog: disc.current,
      });
    },
    [engine, deck],
  );
  const letter = deck.toUpperCase();
  const carriesTrack = (event: DragEvent) => event.dataTransfer.types.includes(trackDragType);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a drop target; keys and menus load tracks too
    <section
      ref={panel}
      className={styles['deck']}
      aria-label={`Deck ${letter}`}
      data-deck={deck}
      data-active={isActive}
      data-over={isOver}
      onPointerDown={() => {
        if (!isActive) activate.set(1);
      }}
      onDragOver={(event) => {
        if (!carriesTrack(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        const trackId = event.dataTransfer.getData(trackDragType);
        if (trackId === '') return;
        event.preventDefault();
        requestLoad(engine, deck, trackId);
      }}
    >
      <DeckHead deck={deck} track={track} bpm={bpm} clock={{ remaining, elapsed, smpte, bars }} />
      <Overview deck={deck} peaks={peaks} positionSlider={positionSlider}>
        <Failure deck={deck} />
      </Overview>
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <div className={styles['body']}>
            <div className={styles['platter']}>
              <JogWheel deck={deck} disc={disc} />
              <ControlButton
                control={`deck.${deck}.cue`}
                shift={`deck.${deck}.spin_back`}
                name={`Cue, deck ${letter}`}
                hint="Q sets, W jumps; Shift spins back"
                look="round"
                disabled={isEmpty}
                className={styles['cue']}
              >
                CUE
              </ControlButton>
              <ControlButton
                control={`deck.${deck}.play`}
                shift={`deck.${deck}.brake`}
                name={`${isPlaying ? 'Pause' : 'Play'} deck ${letter}`}
                hint={`${isActive ? 'Space' : `Space, once ${letter} is active`}; Shift brakes`}
                look="round"
                disabled={isEmpty}
              >
                {isPlaying ? 'PAUSE' : 'PLAY'}
              </ControlButton>
            </div>
            <div className={styles['middle']}>
              <SwitchRow deck={deck} />
              <HotCues deck={deck} />
              <LoopSection deck={deck} />
            </div>
          </div>
          <EffectRow deck={deck} />
          <StemSection deck={deck} track={track} />
        </div>
        <TempoColumn deck={deck} />
      </div>
    </section>
  );
}

/** Error of loading the audio, with a retry button; it covers the overview, so that the layout does not move. */
function Failure({ deck }: { deck: DeckId }) {
  const engine = useDjEngine();
  const status = useLocalDeck(deck, (local) => local.status);
  const error = useLocalDeck(deck, (local) => local.error);
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  if (status !== 'failed') return null;
  const keptText = isEmpty ? '' : ' Position, cues and loops are kept.';
  const text = `No audio on this deck: ${error}.${keptText}`;
  return (
    <div className={styles['failed']} role="alert">
      <p title={text}>{text}</p>
      <Button
        small
        icon="retry"
        aria-label={`Retry, deck ${deck.toUpperCase()}`}
        onClick={() => engine.decks.retry(deck)}
      >
        Retry
      </Button>
    </div>
  );
}
