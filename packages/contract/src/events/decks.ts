import { z } from 'zod';
import { channel } from '../channel.ts';
import { uuid } from '../ids.ts';
import { deckBounds } from '../limits.ts';
import {
  deckId,
  deckIds,
  deckLoop,
  deckSession,
  deckState,
  deckStem,
  deckStrip,
  hotCue,
  mixerState,
  songMs,
} from '../resources/deck-session.ts';
import { stemType } from '../resources/stem.ts';

/**
 * Who sent a message, and which of theirs it is. A message whose number is not above the last one taken from that window
 * changes nothing: it is late, or came twice. Those that name no window are taken as they come.
 */
const sender = {
  client: z.string().min(8).max(deckBounds.client).optional(),
  seq: z.int().min(1).optional(),
};
const onDeck = { deck: deckId, ...sender };
/** Where the sender's deck stands; where it is missing, the service reckons it. */
const at = { position_ms: songMs.optional() };

const strip = deckStrip.partial();
const switches = deckState
  .pick({
    is_key_locked: true,
    key_semitones: true,
    is_synced: true,
    is_quantized: true,
    is_slipping: true,
    tempo_range: true,
  })
  .partial();

/**
 * What a window tells the service that its user did. It has happened there already; the service checks it, keeps it and
 * tells the session's other windows, never the sender.
 *
 * @spec Deck sessions
 */
export const deckMessages = {
  load_track: z.strictObject({ ...onDeck, track_id: uuid.nullable() }),
  toggle_play: z.strictObject({ ...onDeck, ...at }),
  play: z.strictObject({ ...onDeck, ...at }),
  pause: z.strictObject({ ...onDeck, ...at }),
  seek: z.strictObject({ ...onDeck, position_ms: songMs }),
  set_cue: z.strictObject({ ...onDeck, position_ms: songMs }),
  /** Back to the cue, and stops there. */
  jump_to_cue: z.strictObject(onDeck),
  /** `slot` of a hot cue that is set; the deck goes on from there. */
  trigger_cue: z.strictObject({ ...onDeck, slot: hotCue.shape.slot }),
  /** A hot cue for a slot; null empties it. */
  set_hot_cue: z.strictObject({
    ...onDeck,
    slot: hotCue.shape.slot,
    cue: hotCue
      .omit({ slot: true })
      .refine((cue) => cue.end_ms === null || cue.end_ms > cue.position_ms, 'must end after it starts')
      .nullable(),
  }),
  /** A loop of the deck, or of one of its stems; null takes it away. */
  set_loop: z.strictObject({ ...onDeck, stem_type: stemType.optional(), loop: deckLoop.nullable(), ...at }),
  /** At most one in five seconds of a deck is taken. */
  update_bpm: z.strictObject({ ...onDeck, bpm: z.number().min(deckBounds.bpm.min).max(deckBounds.bpm.max) }),
  /** The same as `update_bpm`, and counted with it. */
  set_bpm: z.strictObject({ ...onDeck, bpm: z.number().min(deckBounds.bpm.min).max(deckBounds.bpm.max) }),
  set_deck: z.strictObject({ ...onDeck, changes: switches }),
  set_strip: z.strictObject({ ...onDeck, changes: strip }),
  /** The stems of a completed separation of the loaded track; null plays the song again. */
  load_stems: z.strictObject({ ...onDeck, processing_job_id: uuid.nullable() }),
  update_volume: z.strictObject({ ...onDeck, stem_type: stemType, volume: deckStem.shape.volume }),
  set_stem: z.strictObject({
    ...onDeck,
    stem_type: stemType,
    changes: deckStem.pick({ is_muted: true, is_soloed: true }).partial(),
  }),
  set_mixer: z.strictObject({ ...sender, changes: mixerState.partial() }),
  /** Where a deck really is, told by the window that sounds: of a playing one now and then. Nothing was done. */
  report_position: z.strictObject({ ...onDeck, position_ms: songMs }),
} as const;
/** Name of a message of {@link deckMessages}. */
export type DeckEvent = keyof typeof deckMessages;
/** A message with its name, as it was parsed. */
export type DeckMessage = {
  [E in DeckEvent]: { event: E } & z.output<(typeof deckMessages)[E]>;
}[DeckEvent];

/**
 * What a message is answered with. `accepted` is false for what came late or twice, for a place reported of a playing deck
 * within a second of the last one, and for a tempo within five seconds of the last one: then `retry_after` says in how many seconds to
 * send it again.
 */
export const deckReply = z.object({
  accepted: z.boolean(),
  version: z.int().min(0),
  /**
   * Moment of the service's clock by which the message was reckoned and made `version`; missing where it changed
   * nothing.
   */
  taken_at: z.number().optional(),
  retry_after: z.number().min(0).optional(),
  /** What the service knows of a track that was loaded, or of stems: the sender's deck as it stands now. */
  state: deckState.optional(),
});

/** What a {@link deckReply} says. */
export type DeckReply = z.infer<typeof deckReply>;

const deck = z.enum(deckIds);
/** `more` follows of the same version: it holds once all of it has come. */
const ofVersion = { version: z.int().min(1), more: z.literal(true).optional() };

/**
 * A deck session. Joining answers with the whole session and the service's clock; `decks:current` is the one of the
 * caller's login.
 */
export const deckChannel = channel({
  topic: 'decks:{deck_session_id}',
  summary: 'The decks of one login session',
  socket: '/live/websocket',
  scope: null,
  params: z.object({ deck_session_id: z.union([uuid, z.literal('current')]) }),
  pushes: {
    deck_update: z.object({ ...ofVersion, deck, state: deckState }),
    mixer_update: z.object({ ...ofVersion, mixer: mixerState }),
    stem_update: z.object({ ...ofVersion, deck, stems: z.array(deckStem) }),
    load_stems: z.object({
      ...ofVersion,
      deck,
      processing_job_id: uuid.nullable(),
      stems: z.array(deckStem),
    }),
    update_volume: z.object({ ...ofVersion, deck, stem_type: stemType, volume: deckStem.shape.volume }),
  },
  messages: deckMessages,
});

/** What a join of {@link deckChannel} is answered with. */
export const deckWelcome = z.object({
  session: deckSession,
  /** The service's clock in milliseconds since 1970. */
  now: z.number(),
  /** The last message taken from each window of late: what a window sent before, and hears nothing of, is in or not. */
  taken: z.array(z.object({ client: z.string(), seq: z.int().min(1) })),
});
/** What a join of {@link deckChannel} is answered with. */
export type DeckWelcome = z.infer<typeof deckWelcome>;

/** Name of a push of {@link deckChannel}. */
export type DeckPushEvent = keyof typeof deckChannel.pushes;
/** A push with its name, as it was parsed. */
export type DeckPush = {
  [E in DeckPushEvent]: { event: E } & z.output<(typeof deckChannel.pushes)[E]>;
}[DeckPushEvent];

/** What happens in a deck session, line by line; joined for as long as the debug panel is open. */
export const deckDebugChannel = channel({
  topic: 'deck_debug:{deck_session_id}',
  summary: 'The debug log of a deck session',
  socket: '/live/websocket',
  scope: null,
  params: z.object({ deck_session_id: uuid }),
  pushes: {
    debug_log: z.object({
      at: z.number(),
      event: z.string(),
      deck: deck.nullable(),
      accepted: z.boolean(),
      version: z.int().min(0),
      detail: z.string(),
    }),
  },
});
