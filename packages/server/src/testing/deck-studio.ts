import { newId } from '../platform/ids.ts';
import { type DeckWindow, type Login, logIn, openDeckWindow } from './deck-windows.ts';
import { type LibraryApp, openLibrary } from './library-steps.ts';
import { testWav } from './test-audio.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import type { TestLifetime } from './test-context.ts';

/** The service with a logged-in user and their decks. */
export interface DeckStudio {
  readonly library: LibraryApp;
  readonly clock: TestClock;
  readonly address: string;
  readonly login: Login;
  /** Opens a window of the login, or of another one. */
  readonly open: (login?: Login) => Promise<DeckWindow>;
  /** Adds a track with audio, of two seconds by default. The same audio gives the same track. */
  readonly addTrack: (seconds?: number) => Promise<string>;
}

/** Starts the service on a port with a logged-in user. */
export async function openDeckStudio(t: TestLifetime, clock = createTestClock()): Promise<DeckStudio> {
  const library = await openLibrary(t, { clock, repeatsSeparations: true });
  const { context, user, service } = library;
  const address = await service.listen(0, '127.0.0.1');
  const login = await logIn(context, user);
  return {
    library,
    clock,
    address,
    login,
    open: (by = login) => openDeckWindow(t, address, by),
    addTrack: async (seconds = 2) => (await library.addTrack(await testWav({ seconds }))).id,
  };
}

/** Inserts a cue point found by an analysis. */
export async function insertFoundCue(
  { context }: LibraryApp,
  track_id: string,
  rank: number,
  position_ms: number,
) {
  const now = context.clock.now();
  await context.db
    .insertInto('cue_points')
    .values({
      id: newId(),
      track_id,
      kind: 'drop',
      label: `Found ${rank}`,
      position_ms,
      beat: null,
      bar: null,
      loop_beats: null,
      color: '#ff5d5d',
      source: 'auto',
      rank,
      confidence: 0.5,
      is_edited: false,
      is_promoted: false,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .execute();
}

/** Returns the deck session as a newly joined window receives it from the database. */
export async function sessionNow(studio: DeckStudio) {
  const { welcome, socket } = await studio.open();
  socket.disconnect();
  return welcome.session;
}
