import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { type Ref, useRef, useState } from 'react';
import { useControl, useDeck, useDjEngine } from '../dj-context.ts';
import { signed } from '../labels.ts';
import { parseBpm } from './bpm-entry.ts';
import styles from './deck-head.module.css';

/** Tempo of a deck in beats per minute; a press turns it into a field, and Enter sets the typed tempo. */
export function BpmField({ deck, bpm }: { deck: DeckId; bpm: Ref<HTMLSpanElement> }) {
  const { value: tempoPercent } = useControl(`deck.${deck}.tempo`);
  const trackBpm = useDeck(deck, (state) => state.track_bpm);
  const [isEditing, setIsEditing] = useState(false);
  return (
    <div className={styles['tempo']}>
      <button
        type="button"
        className={styles['bpmButton']}
        disabled={trackBpm === null}
        title={trackBpm === null ? 'The track has no beats' : 'Type a tempo'}
        onClick={() => setIsEditing(true)}
      >
        <span ref={bpm} className={styles['bpm']} data-bpm>
          –
        </span>
        <span className={styles['under']}>
          <span className="visually-hidden">BPM of deck {deck.toUpperCase()}, </span>
          {signed(tempoPercent, 2)} %
        </span>
      </button>
      {isEditing && trackBpm !== null && (
        <BpmInput deck={deck} trackBpm={trackBpm} onClose={() => setIsEditing(false)} />
      )}
    </div>
  );
}

function BpmInput({ deck, trackBpm, onClose }: { deck: DeckId; trackBpm: number; onClose: () => void }) {
  const { decks } = useDjEngine();
  const initial = ((1 + decks.session.getState().decks[deck].tempo_percent / 100) * trackBpm).toFixed(2);
  const first = useRef(initial);
  const [text, setText] = useState(initial);
  const [error, setError] = useState('');
  /** Sets the typed tempo; returns false, and says why, if it is not one. */
  const commit = (): boolean => {
    if (text === first.current) return true;
    const entry = parseBpm(text, trackBpm);
    if ('error' in entry) {
      setError(entry.error);
      return false;
    }
    decks.setTempo(deck, entry.percent);
    return true;
  };
  const errorId = `bpm-error-${deck}`;
  return (
    <>
      <input
        className={styles['bpmInput']}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a press that means to type here
        autoFocus
        aria-label={`BPM of deck ${deck.toUpperCase()}`}
        aria-invalid={error !== ''}
        aria-describedby={error === '' ? undefined : errorId}
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setError('');
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && commit()) onClose();
          if (event.key === 'Escape') onClose();
        }}
        onBlur={() => {
          commit();
          onClose();
        }}
      />
      {error !== '' && (
        <p id={errorId} className={styles['bpmError']} role="alert">
          {error}
        </p>
      )}
    </>
  );
}
