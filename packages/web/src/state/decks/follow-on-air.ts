import type { Scope } from '@stem-studio/audio/base/scope';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { Decks } from './decks.ts';
import { onAir } from './on-air.ts';

/** Title and artist of a track. */
export interface SongName {
  readonly title: string;
  readonly artist: string;
}

/**
 * Notes in each recording which songs are on air, for as long as `scope` lives.
 *
 * @param nameOf returns the name of a track; rejects if it is not known
 */
export function followOnAir(
  scope: Scope,
  decks: Pick<Decks, 'session' | 'recording' | 'recorded' | 'noteInRecording'>,
  nameOf: (trackId: string) => Promise<SongName>,
): void {
  let noted: Record<DeckId, string | null> = { a: null, b: null };
  const note = async (deck: DeckId, trackId: string | null): Promise<void> => {
    const { seconds } = decks.recorded();
    const name = trackId === null ? null : await nameOf(trackId).catch(() => unnamed);
    const song =
      trackId === null || name === null
        ? null
        : { track_id: trackId, title: name.title, artist: name.artist };
    decks.noteInRecording({ seconds, deck, song });
  };
  const look = () => {
    if (!decks.recording.getState().isRecording) {
      noted = { a: null, b: null };
      return;
    }
    const now = onAir(decks.session.getState());
    for (const deck of deckIds) {
      if (now[deck] === noted[deck]) continue;
      noted = { ...noted, [deck]: now[deck] };
      void note(deck, now[deck]);
    }
  };
  for (const store of [decks.session, decks.recording]) scope.own(store.subscribe(look));
  look();
}

const unnamed: SongName = { title: 'Unknown track', artist: '' };
