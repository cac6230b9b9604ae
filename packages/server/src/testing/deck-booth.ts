import { newId } from '../platform/ids.ts';
import { type DeckWindow, type Login, logIn, openDeckWindow } from './deck-windows.ts';
import { type LibraryApp, openLibrary } from './library-steps.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import type { TestLifetime } from './test-context.ts';
import { testWav } from './test-sound.ts';

/** The service with somebody who is logged in, and their decks. */
export interface Booth {
  readonly library: LibraryApp;
  readonly clock: TestClock;
  readonly address: string;
  readonly login: Login;
  /** A window of the login, or of another one. */
  readonly open: (login?: Login) => Promise<DeckWindow>;
  /** A track with sound, of two seconds unless it is said; the same sound again is the same track. */
  readonly addTrack: (seconds?: number) => Promise<string>;
}

/** Opens the service, which listens, with a user who is logged in. */
export async function openBooth(t: TestLifetime, clock = createTestClock()): Promise<Booth> {
  const library = await openLibrary(t, { clock });
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

/** Writes a cue point that an analysis found. */
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

/** The session as the database has it, told to a window that joins. */
export async function sessionNow(booth: Booth) {
  const { welcome, socket } = await booth.open();
  socket.disconnect();
  return welcome.session;
}
