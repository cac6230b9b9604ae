import { Scope } from '@stem-studio/audio/base/scope';
import { DeckController } from '@stem-studio/audio/deck/deck-controller';
import { openSongDecoder, prepareSongDecoders } from '@stem-studio/audio/deck/song-decoder';
import { createDjEnginePort } from '@stem-studio/audio/dj-engine/create-dj-engine-port';
import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import { prepareRecordingWorker } from '@stem-studio/audio/recording/open-recording-worker';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { createAnimationLoop } from '../../base/animation-loop.ts';
import { errorText } from '../../client/api-error.ts';
import { loadAhead } from '../../client/load-ahead.ts';
import { createPageClock, openPageDeckLink } from '../../client/page-deck-link.ts';
import { accountQuery, trackQuery } from '../../client/queries.ts';
import { createRecordingStorage } from '../../client/recordings/open-page-recording.ts';
import { noteReach } from '../../client/service-reach.ts';
import { readStored, writeStored } from '../../state/browser-storage.ts';
import { confirmLeaving } from '../../state/decks/confirm-leaving.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import { createDeckFiles } from '../../state/decks/deck-files.ts';
import { createDecksControls } from '../../state/decks/decks-controls.ts';
import type { DjEngine, EngineStatus } from '../../state/decks/dj-engine.ts';
import { createDjState } from '../../state/decks/dj-state.ts';
import { followDebugLog } from '../../state/decks/follow-debug-log.ts';
import { followEndings } from '../../state/decks/follow-endings.ts';
import { followGrids } from '../../state/decks/follow-grids.ts';
import { followOnAir } from '../../state/decks/follow-on-air.ts';
import { followRecovery } from '../../state/decks/follow-recovery.ts';
import { HeadphoneChoice } from '../../state/decks/headphone-choice.ts';
import { browserHeadphones } from '../../state/decks/stored-headphones.ts';
import { MicrophoneBoard } from '../../state/microphone/microphone-board.ts';
import { browserSamples } from '../../state/sampler/sample-store.ts';
import { SamplerBoard } from '../../state/sampler/sampler-board.ts';
import { toastError } from '../../state/toasts.state.ts';
import { followLibrary } from './follow-library.ts';
import { followOutputUse } from './follow-output-use.ts';
import { withBoards } from './with-boards.ts';

let opened: DjEngine | null = null;

/**
 * Returns the DJ engine of this page. It is created on first use and outlives the tab of the decks, so that the music
 * continues in other tabs; it ends with the page.
 */
export function openDjEngine(client: QueryClient): DjEngine {
  opened ??= createDjEngine(new Scope(), client);
  return opened;
}

/** A DJ engine that lives as long as `scope`, linked with the session's other windows and with the library. */
function createDjEngine(scope: Scope, client: QueryClient): DjEngine {
  const status = createStore<EngineStatus>(() => ({
    link: 'connecting',
    hasJoined: false,
    isSounding: false,
    refusal: '',
  }));
  const headphones = new HeadphoneChoice(browserHeadphones, toastError);
  const sampler = new SamplerBoard({
    store: browserSamples,
    userId: async () => (await client.ensureQueryData(accountQuery()))?.id ?? null,
    notify: toastError,
  });
  const microphone = new MicrophoneBoard({ read: readStored, write: writeStored });
  const clock = createPageClock();
  const userId = () => client.getQueryData(accountQuery().queryKey)?.id ?? null;
  const decks = new DeckController({
    openPort: async () => {
      try {
        const port = await createDjEnginePort();
        status.setState({ refusal: '' });
        void headphones.use(port.headphones);
        return withBoards(port, { sampler, microphone }, () => void headphones.use(null));
      } catch (error) {
        status.setState({ refusal: `This window cannot play audio: ${errorText(error)}` });
        throw error;
      }
    },
    files: createDeckFiles(client),
    fetchRange,
    openDecoder: openSongDecoder,
    now: () => clock.now(),
    openRecordingStorage: createRecordingStorage(userId),
  });
  scope.own(() => decks.dispose());

  const link = openPageDeckLink({
    decks,
    clock,
    userId,
    onStatus: (next) => {
      if (next === 'joined') noteReach(true);
      status.setState(({ hasJoined }) => ({ link: next, hasJoined: hasJoined || next === 'joined' }));
    },
    onRefused: (reason) => toastError('Deck action failed', `${reason}. Nothing else was changed.`),
  });
  scope.own(() => link.dispose());
  const updateSounding = () =>
    status.setState({ isSounding: decks.session.getState().mixer.sound_client === link.client });
  scope.own(decks.session.subscribe(updateSounding));
  followGrids(scope, decks, client);

  const target: ControlTarget = { decks, state: createDjState() };
  const animation = createAnimationLoop(scope);
  for (const store of [decks.session, decks.local, target.state, sampler.state, microphone.state])
    scope.own(store.subscribe(() => animation.wake()));
  const engine: DjEngine = {
    ...target,
    controls: createDecksControls(target, { sampler, microphone }),
    status,
    animation,
    headphones,
    sampler,
    microphone,
    playHere: () => link.claimAudio(),
    followDebugLog(owner, onLine) {
      const deck_session_id = link.sessionId();
      if (deck_session_id !== null) followDebugLog(deck_session_id, owner, onLine);
    },
  };
  followLibrary(scope, engine, client);
  followOutputUse(scope, engine, client);
  followOnAir(scope, decks, (id) => client.ensureQueryData(trackQuery(id)));
  followRecovery(scope, decks);
  followEndings(scope, decks);
  confirmLeaving(scope, engine);
  prepareSongDecoders();
  prepareRecordingWorker();
  loadAhead(scope);
  return engine;
}
