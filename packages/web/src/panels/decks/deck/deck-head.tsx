import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { Track } from '@stem-studio/contract/resources/track';
import type { Ref } from 'react';
import { keyColor, shortKeyText } from '../../../base/key-text.ts';
import { Cover } from '../../../ui/cover.tsx';
import { useControl, useDeck, useLocalDeck, useMixer } from '../dj-context.ts';
import { signed, soundingKey, soundingSemitones } from '../labels.ts';
import { BpmField } from './bpm-field.tsx';
import { type ClockRefs, DeckClock } from './deck-clock.tsx';
import styles from './deck-head.module.css';
import { LoadState } from './load-state.tsx';

const leadHint = 'Tempo leader: SYNC and the metronome follow this deck';

/** Header of a deck: cover, title and artist of its track, key, tempo and time, and whether the deck leads. */
export function DeckHead({
  deck,
  track,
  bpm,
  clock,
}: {
  deck: DeckId;
  track: Track | null;
  bpm: Ref<HTMLSpanElement>;
  clock: ClockRefs;
}) {
  const isLoaded = useDeck(deck, (state) => state.track_id !== null);
  const { value: tempoPercent } = useControl(`deck.${deck}.tempo`);
  const { value: keySemitones } = useControl(`deck.${deck}.key`);
  const isKeyLocked = useControl(`deck.${deck}.key_lock`).value > 0;
  const isPlaying = useControl(`deck.${deck}.play`).value > 0;
  const isLeading = useMixer((mixer) => mixer.master_deck === deck) && isLoaded;
  const semitones = soundingSemitones(keySemitones, tempoPercent, isKeyLocked);
  const status = useLocalDeck(deck, (local) => local.status);
  const letter = deck.toUpperCase();
  const { key, camelot } = soundingKey(track?.key ?? '', semitones);
  return (
    <header className={styles['head']}>
      <span
        className={styles['letter']}
        data-playing={isPlaying}
        title={isLeading ? leadHint : undefined}
        aria-hidden="true"
      >
        {letter}
        {isLeading && <span className={styles['lead']}>LEAD</span>}
      </span>
      {isLeading && <span className="visually-hidden">Deck {letter} leads</span>}
      <span className={styles['cover']}>
        <Cover url={track?.album_art_url ?? null} large />
      </span>
      <div className={styles['song']}>
        <h2 className={styles['title']} title={track?.title ?? ''}>
          {track ? track.title : isLoaded ? 'Loading…' : 'No track'}
        </h2>
        <p className={styles['artist']}>
          <span className={styles['name']}>
            {track
              ? track.artist || '–'
              : isLoaded || status === 'loading'
                ? ' '
                : `Drag a track here, or Shift ${deck === 'a' ? '←' : '→'}`}
          </span>
          <LoadState deck={deck} />
        </p>
      </div>
      <div className={styles['key']}>
        <span className={styles['camelot']} style={{ color: keyColor(camelot) }}>
          {camelot || '–'}
        </span>
        <span className={styles['under']}>
          {key === '' ? 'key' : shortKeyText(key)}
          {Math.abs(semitones) >= 0.05 && ` ${signed(semitones, Number.isInteger(semitones) ? 0 : 1)}`}
        </span>
      </div>
      <BpmField deck={deck} bpm={bpm} />
      <DeckClock deck={deck} {...clock} />
    </header>
  );
}
