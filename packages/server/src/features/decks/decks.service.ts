import {
  applyDeckMessage,
  applyTrackTempo,
  type DeckFacts,
} from '@stem-studio/contract/decks/apply-deck-message';
import { applyTrackLoudness } from '@stem-studio/contract/decks/auto-gain';
import { deckPushesOf } from '@stem-studio/contract/decks/deck-pushes';
import { moveWithGrid } from '@stem-studio/contract/decks/move-with-grid';
import {
  createDeckRecord,
  refuseDeckMessage,
  type TakenDeckMessage,
  takeDeckMessage,
} from '@stem-studio/contract/decks/take-deck-message';
import {
  type DeckMessage,
  type DeckReply,
  type DeckWelcome,
  deckChannel,
} from '@stem-studio/contract/events/decks';
import { deckBounds } from '@stem-studio/contract/limits';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState, DeckState } from '@stem-studio/contract/resources/deck-session';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { KeyedMutex } from '../../platform/keyed-mutex.ts';
import { publish } from '../../platform/socket/publish.ts';
import { findLoudness } from '../analysis/index.ts';
import { listStems } from '../processing/index.ts';
import { findTrack, keepOwnTrack } from '../tracks/index.ts';
import { publishToDebugLog } from './deck-debug.ts';
import { factsOf, tempoOf } from './deck-facts.ts';
import * as store from './decks.store.ts';

/** Returns the id of the deck session of the caller's login, created on the first call; null without a login. */
export async function ensureCurrentSession(context: Context, viewer: Viewer): Promise<string | null> {
  const { login_session_id } = viewer;
  if (login_session_id === null) return null;
  const first = { id: newId(), record: createDeckRecord() };
  const row = await store.ensureDeckSession(context.db, login_session_id, first, context.clock.now());
  return row?.id ?? null;
}

/** Returns the state sent to a window that joins; null if the caller has no such session. */
export async function welcome(context: Context, viewer: Viewer, id: string): Promise<DeckWelcome | null> {
  const row = await store.findDeckSession(context.db, viewer.id, id);
  if (!row) return null;
  const { version, state, taken } = row;
  return {
    session: { id, version, ...state },
    now: context.clock.now().getTime(),
    taken: taken.map(([client, seq]) => ({ client, seq })),
  };
}

/**
 * A message to a session, with its sender and the function that notifies the other windows within the transaction.
 */
export interface SentDeckMessage {
  readonly viewer: Viewer;
  readonly sessionId: string;
  readonly message: DeckMessage;
  readonly notifyOthers: (event: string, payload: object, tx: Tx) => Promise<void>;
}

/** In-process queue per session: its windows need the same row and must not wait with a database connection each. */
const sessionMutex = new KeyedMutex();

/**
 * Applies a window's message once and in order, by the rules that all windows share. Stores the result and notifies
 * the other windows. Throws `NOT_FOUND` if the caller lacks the subject, or `TRACK_NOT_DOWNLOADED`.
 *
 * @spec Deck sessions
 */
export async function acceptDeckMessage(context: Context, sent: SentDeckMessage): Promise<DeckReply> {
  return sessionMutex.runExclusive(sent.sessionId, () => applyMessage(context, sent));
}

async function applyMessage(context: Context, sent: SentDeckMessage): Promise<DeckReply> {
  const { viewer, sessionId, message } = sent;
  let row: store.DeckSessionRow | null = null;
  try {
    const reply = await context.db.transaction().execute(async (tx) => {
      await store.limitLockWait(tx);
      // Locked before the session, in the same order as the deletion of a track.
      if (message.event === 'load_track' && message.track_id !== null)
        await keepOwnTrack(tx, viewer.id, message.track_id);
      row = await store.lockDeckSession(tx, viewer.id, sessionId);
      if (!row) throw notFound('deck session');
      return accept(context, tx, row, sent);
    });
    await publishToDebugLog(context, row, message, reply);
    return reply;
  } catch (error) {
    if (error instanceof Error) await publishToDebugLog(context, row, message, error);
    throw error;
  }
}

async function accept(
  context: Context,
  tx: Tx,
  row: store.DeckSessionRow,
  { viewer, message, notifyOthers }: SentDeckMessage,
): Promise<DeckReply> {
  const moment = context.clock.now();
  const now = moment.getTime();
  const refusal = refuseDeckMessage(row, message, now);
  if (refusal) return refusal;
  const facts = await factsOf(tx, viewer, row.state, message);
  const taken: TakenDeckMessage = takeDeckMessage(row, message, { now, ...facts });
  await store.updateDeckSession(tx, row, taken.record, moment);
  for (const { event, ...payload } of taken.pushes) await notifyOthers(event, payload, tx);
  return taken.reply;
}

/**
 * Notes that the window that plays the audio has closed its connection without releasing the audio. The other windows
 * take it over if that window does not return.
 */
export async function noteClosedWindow(
  context: Context,
  viewer: Viewer,
  sessionId: string,
  client: string,
): Promise<void> {
  await sessionMutex.runExclusive(sessionId, () =>
    context.db.transaction().execute(async (tx) => {
      await store.limitLockWait(tx);
      const row = await store.lockDeckSession(tx, viewer.id, sessionId);
      if (row?.state.mixer.sound_client !== client) return;
      await publishChange(context, tx, row, (state, now) =>
        applyDeckMessage(state, { event: 'set_mixer', changes: { audio_left_at: now } }, { now }),
      );
    }),
  );
}

/** Unloads a deleted track from the decks of its owner's sessions. */
export function unloadTrack(context: Context, tx: Tx, track: PipelineEvents['track.deleted']): Promise<void> {
  return changeHolding(context, tx, track, (state, now) =>
    deckIds
      .filter((deck) => state.decks[deck].track_id === track.track_id)
      .reduce(
        (before, deck) => applyDeckMessage(before, { event: 'load_track', deck, track_id: null }, { now }),
        state,
      ),
  );
}

/**
 * Lets decks that play deleted stems play those of the separation that takes their place, from the same position and
 * with the same faders; the song if there is none.
 */
export async function followDeletedStems(
  context: Context,
  tx: Tx,
  { job_id, next, ...track }: PipelineEvents['stems.deleted'],
): Promise<void> {
  const stems = next === null ? [] : (await listStems(tx, next)).map((stem) => stem.stem_type);
  await changeHolding(context, tx, track, (state, now) =>
    deckIds
      .filter((deck) => state.decks[deck].processing_job_id === job_id)
      .reduce((before, deck) => replaceDeckStems(before, deck, next, { now, stems }), state),
  );
}

/** Loads the stems of a completed separation on decks that play its track without stems, unless that is turned off. */
export async function loadCompletedStems(
  context: Context,
  tx: Tx,
  { job_id, ...track }: PipelineEvents['processing.completed'],
): Promise<void> {
  const stems = (await listStems(tx, job_id)).map((stem) => stem.stem_type);
  // A preview of a separation is not the track's separation.
  const isOfTrack = (await findTrack(tx, track.track_id))?.stems_job_id === job_id;
  if (stems.length === 0 || !isOfTrack) return;
  await changeHolding(context, tx, track, (state, now) =>
    deckIds
      .filter((deck) => state.mixer.is_loading_stems && isWithoutStems(state.decks[deck], track.track_id))
      .reduce(
        (before, deck) =>
          applyDeckMessage(before, { event: 'load_stems', deck, processing_job_id: job_id }, { now, stems }),
        state,
      ),
  );
}

function isWithoutStems({ track_id, processing_job_id }: DeckState, trackId: string): boolean {
  return track_id === trackId && processing_job_id === null;
}

function replaceDeckStems(
  before: DeckSessionState,
  deck: DeckId,
  next: string | null,
  facts: DeckFacts,
): DeckSessionState {
  const after = applyDeckMessage(before, { event: 'load_stems', deck, processing_job_id: next }, facts);
  const known = before.decks[deck].stems;
  const stems = after.decks[deck].stems.map(
    (stem) => known.find(({ stem_type }) => stem_type === stem.stem_type) ?? stem,
  );
  return { ...after, decks: { ...after.decks, [deck]: { ...after.decks[deck], stems } } };
}

/** Updates the tempo of decks that hold a track after its beats were edited or detected. */
export async function followTrackTempo(
  context: Context,
  tx: Tx,
  track: Pick<PipelineEvents['grid.changed'], 'track_id' | 'user_id'>,
): Promise<void> {
  const row = await findTrack(tx, track.track_id);
  if (!row) return;
  const bpm = await tempoOf(tx, row);
  await changeHolding(context, tx, track, (state, now) => applyTrackTempo(state, track.track_id, bpm, now));
}

/** Moves cue points and loops that were on a beat of an edited grid to the same beat, on decks that hold the track. */
export async function moveDecksWithGrid(
  context: Context,
  tx: Tx,
  { move, ...track }: PipelineEvents['grid.changed'],
): Promise<void> {
  if (move) await changeHolding(context, tx, track, (state) => moveWithGrid(state, track.track_id, move));
}

/** Updates the loudness of decks that hold a track after it was analysed. A playing deck keeps its level. */
export async function followTrackLoudness(
  context: Context,
  tx: Tx,
  track: PipelineEvents['analysis.completed'],
): Promise<void> {
  const loudness = await findLoudness(tx, track.track_id);
  await changeHolding(context, tx, track, (state) => applyTrackLoudness(state, track.track_id, loudness));
}

/**
 * Changes the sessions of a track's owner that have it on a deck. Notifies all their windows, since none is the
 * sender.
 */
async function changeHolding(
  context: Context,
  tx: Tx,
  { track_id, user_id }: { readonly track_id: string; readonly user_id: number },
  change: (state: DeckSessionState, now: number) => DeckSessionState,
): Promise<void> {
  for (const row of await store.lockSessionsHolding(tx, user_id, track_id))
    await publishChange(context, tx, row, change);
}

/** Stores a change that no window has made, and notifies all of them. */
async function publishChange(
  context: Context,
  tx: Tx,
  row: store.DeckSessionRow,
  change: (state: DeckSessionState, now: number) => DeckSessionState,
): Promise<void> {
  const moment = context.clock.now();
  const state = change(row.state, moment.getTime());
  const version = row.version + 1;
  const pushes = deckPushesOf(null, row.state, state, version);
  if (pushes.length === 0) return;
  await store.updateDeckSession(tx, row, { ...row, state, version }, moment);
  for (const { event, ...payload } of pushes)
    await publish(tx, deckChannel, { deck_session_id: row.id }, event, payload);
}

/** Deletes sessions without activity for a day. */
export async function sweepDeckSessions(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - deckBounds.idleSeconds * 1000);
  await store.deleteIdleSessions(context.db, before);
}
