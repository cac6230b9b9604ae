import { z } from 'zod';
import { channel } from '../channel.ts';
import { effectSlots } from '../decks/effects.ts';
import { uuid } from '../ids.ts';
import { deckBounds } from '../limits.ts';
import { effectChanges } from '../resources/deck-effect.ts';
import { deckId, deckIds } from '../resources/deck-id.ts';
import {
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
 * Window that sent a message, and the sequence number of the message. A message whose number is not above the last
 * one accepted from that window is late or a duplicate and has no effect. Messages without a window are always
 * accepted.
 */
const sender = {
  client: z.string().min(8).max(deckBounds.client).optional(),
  seq: z.int().min(1).optional(),
};
const onDeck = { deck: deckId, ...sender };
/** Position of the sender's deck; computed by the service if absent. */
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
 * Messages by which a window reports actions of its user. The window has already applied them; the service validates
 * and stores them and forwards them to the session's other windows, not to the sender.
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
  /** Returns to the cue point and stops. */
  jump_to_cue: z.strictObject(onDeck),
  /** Jumps to the hot cue in `slot` if it is set; the deck continues from there. */
  trigger_cue: z.strictObject({ ...onDeck, slot: hotCue.shape.slot }),
  /** Sets the hot cue of a slot; null clears it. */
  set_hot_cue: z.strictObject({
    ...onDeck,
    slot: hotCue.shape.slot,
    cue: hotCue
      .omit({ slot: true })
      .refine((cue) => cue.end_ms === null || cue.end_ms > cue.position_ms, 'must end after it starts')
      .nullable(),
  }),
  /** Sets the loop of the deck or of one of its stems; null clears it. */
  set_loop: z.strictObject({ ...onDeck, stem_type: stemType.optional(), loop: deckLoop.nullable(), ...at }),
  /** At most one per deck is accepted in five seconds. */
  update_bpm: z.strictObject({ ...onDeck, bpm: z.number().min(deckBounds.bpm.min).max(deckBounds.bpm.max) }),
  /** Same as `update_bpm`, with a common rate limit. */
  set_bpm: z.strictObject({ ...onDeck, bpm: z.number().min(deckBounds.bpm.min).max(deckBounds.bpm.max) }),
  set_deck: z.strictObject({ ...onDeck, changes: switches }),
  set_strip: z.strictObject({ ...onDeck, changes: strip }),
  /** Changes one slot of the deck's effects. */
  set_effect: z.strictObject({
    ...onDeck,
    slot: z
      .int()
      .min(0)
      .max(effectSlots - 1),
    changes: effectChanges,
  }),
  /** Loads the stems of a completed separation of the loaded track; null plays the mix again. */
  load_stems: z.strictObject({ ...onDeck, processing_job_id: uuid.nullable() }),
  update_volume: z.strictObject({ ...onDeck, stem_type: stemType, volume: deckStem.shape.volume }),
  set_stem: z.strictObject({
    ...onDeck,
    stem_type: stemType,
    changes: deckStem.pick({ is_muted: true, is_soloed: true }).partial(),
  }),
  /** Changes the mixer; of its effect only the fields that are given. */
  set_mixer: z.strictObject({
    ...sender,
    changes: mixerState.extend({ effect: effectChanges }).partial(),
  }),
  /**
   * Actual position of a deck, reported by the window that plays the audio: periodically while it plays. Not a user
   * action.
   */
  report_position: z.strictObject({ ...onDeck, position_ms: songMs }),
} as const;
/** Name of a message of {@link deckMessages}. */
export type DeckEvent = keyof typeof deckMessages;
/** A message with its name, as it was parsed. */
export type DeckMessage = {
  [E in DeckEvent]: { event: E } & z.output<(typeof deckMessages)[E]>;
}[DeckEvent];

/**
 * Reply to a message. `accepted` is false for late and duplicate messages, for a position of a playing deck within a
 * second of the last one, and for a tempo within five seconds of the last one; for a tempo `retry_after` is the time
 * in seconds after which to send it again.
 */
export const deckReply = z.object({
  accepted: z.boolean(),
  version: z.int().min(0),
  /**
   * Time of the service's clock at which the message was applied and produced `version`; absent if it changed
   * nothing.
   */
  taken_at: z.number().optional(),
  retry_after: z.number().min(0).optional(),
  /** State of the sender's deck after loading a track or stems, with the properties that the service knows. */
  state: deckState.optional(),
});

/** Reply to a message. */
export type DeckReply = z.infer<typeof deckReply>;

const deck = z.enum(deckIds);
/** `more` marks pushes followed by others of the same version; the version is complete after the last one. */
const ofVersion = { version: z.int().min(1), more: z.literal(true).optional() };

/**
 * Topic of a deck session. The join reply contains the whole session and the service's clock; `decks:current` is the
 * session of the caller's login.
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

/** Payload of a join of {@link deckChannel}: the window, so that the service notices when its connection is closed. */
export const deckJoin = z.object({ client: sender.client });

/** Join reply of {@link deckChannel}. */
export const deckWelcome = z.object({
  session: deckSession,
  /** Time of the service's clock, in ms since 1970. */
  now: z.number(),
  /**
   * Last message accepted from each recent window. It tells a reconnecting window whether its unanswered messages
   * were accepted.
   */
  taken: z.array(z.object({ client: z.string(), seq: z.int().min(1) })),
});
/** Join reply of {@link deckChannel}. */
export type DeckWelcome = z.infer<typeof deckWelcome>;

/** Name of a push of {@link deckChannel}. */
export type DeckPushEvent = keyof typeof deckChannel.pushes;
/** A push with its name, as it was parsed. */
export type DeckPush = {
  [E in DeckPushEvent]: { event: E } & z.output<(typeof deckChannel.pushes)[E]>;
}[DeckPushEvent];

/** Topic of the debug log of a deck session; joined while the debug panel is open. */
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
