import { Scope } from '@stem-studio/audio/base/scope';
import { createBoothPort } from '@stem-studio/audio/booth/create-booth-port';
import { DeckController } from '@stem-studio/audio/deck/deck-controller';
import { openSongDecoder } from '@stem-studio/audio/deck/song-decoder';
import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { createPictureRound } from '../../base/animation-loop.ts';
import { wordsOf } from '../../client/api-error.ts';
import { createPageClock, openPageDeckLink } from '../../client/page-deck-link.ts';
import { accountQuery } from '../../client/queries.ts';
import { guardLeaving } from '../../state/decks/confirm-leaving.ts';
import { createDeckFiles } from '../../state/decks/deck-files.ts';
import type { BoothState, DjBooth } from '../../state/decks/dj-engine.ts';
import { createDjState } from '../../state/decks/dj-state.ts';
import { followDebug } from '../../state/decks/follow-debug-log.ts';
import { followEndings } from '../../state/decks/follow-endings.ts';
import { followGrids } from '../../state/decks/follow-grids.ts';
import { HeadphoneChoice } from '../../state/decks/headphone-choice.ts';
import { browserHeadphones } from '../../state/decks/stored-headphones.ts';
import { toastError } from '../../ui/toast-words.ts';
import { followLibrary } from './follow-library.ts';

let opened: DjBooth | null = null;

/**
 * The decks of this page. They are made when they are first asked for and stay when another tab of the page is shown, so
 * that the music goes on; they end with the page.
 */
export function openBooth(client: QueryClient): DjBooth {
  opened ??= createBooth(new Scope(), client);
  return opened;
}

/** Decks that live as long as `scope`: their sound, their link with the session's other windows, and the library's part. */
function createBooth(scope: Scope, client: QueryClient): DjBooth {
  const booth = createStore<BoothState>(() => ({
    link: 'connecting',
    hasJoined: false,
    isSounding: false,
    refusal: '',
  }));
  const headphones = new HeadphoneChoice(browserHeadphones, toastError);
  const clock = createPageClock();
  const decks = new DeckController({
    openPort: async () => {
      try {
        const port = await createBoothPort();
        booth.setState({ refusal: '' });
        void headphones.use(port.headphones);
        const dispose = () => {
          void headphones.use(null);
          port.dispose();
        };
        return { ...port, dispose };
      } catch (error) {
        booth.setState({ refusal: `No sound in this window: ${wordsOf(error)}` });
        throw error;
      }
    },
    files: createDeckFiles(client),
    fetchRange,
    openDecoder: openSongDecoder,
    now: () => clock.now(),
  });
  scope.own(() => decks.dispose());

  const link = openPageDeckLink({
    decks,
    clock,
    userId: () => client.getQueryData(accountQuery().queryKey)?.id ?? null,
    onStatus: (status) =>
      booth.setState(({ hasJoined }) => ({ link: status, hasJoined: hasJoined || status === 'joined' })),
    onRefused: (reason) => toastError('The decks could not do that', `${reason}. Everything else is kept.`),
  });
  scope.own(() => link.dispose());
  const tellSound = () =>
    booth.setState({ isSounding: decks.session.getState().mixer.sound_client === link.client });
  scope.own(decks.session.subscribe(tellSound));
  followGrids(scope, decks, client);

  const made: DjBooth = {
    decks,
    booth,
    state: createDjState(),
    round: createPictureRound(scope),
    headphones,
    takeSound: () => link.takeSound(),
    followDebug(owner, heard) {
      const deck_session_id = link.sessionId();
      if (deck_session_id !== null) followDebug(deck_session_id, owner, heard);
    },
  };
  followLibrary(scope, made, client);
  followEndings(scope, decks);
  guardLeaving(scope, made);
  return made;
}
