import {
  type DeckEvent,
  type DeckMessage,
  deckChannel,
  deckDebugChannel,
  deckJoin,
  deckMessages,
} from '@stem-studio/contract/events/decks';
import type { z } from 'zod';
import { type ChannelMessage, defineChannel } from '../../platform/socket/channel.ts';
import { openDebugLog } from './deck-debug.ts';
import { acceptDeckMessage, ensureCurrentSession, noteClosedWindow, welcome } from './decks.service.ts';

type Params = z.output<(typeof deckChannel)['params']>;
type Handlers = {
  readonly [E in DeckEvent]: (
    message: ChannelMessage<Params, z.output<(typeof deckMessages)[E]>>,
  ) => Promise<Record<string, unknown>>;
};

const handlerOf =
  (event: DeckEvent) =>
  ({ context, viewer, params, payload, broadcastFrom }: ChannelMessage<Params, object>) => {
    const message = { ...payload, event } as DeckMessage;
    const sessionId = params.deck_session_id;
    return acceptDeckMessage(context, { viewer, sessionId, message, notifyOthers: broadcastFrom });
  };

/** Topic of a login session's decks, for its user only; admins cannot join. */
export const deckTopic = defineChannel(deckChannel, {
  locate: async (context, viewer, params) => {
    if (params.deck_session_id !== 'current') return params;
    const id = await ensureCurrentSession(context, viewer);
    return id === null ? null : { deck_session_id: id };
  },
  join: (context, viewer, { deck_session_id }) => welcome(context, viewer, deck_session_id),
  disconnected: async (context, viewer, { deck_session_id }, joined) => {
    const { data } = deckJoin.safeParse(joined);
    if (data?.client !== undefined) await noteClosedWindow(context, viewer, deck_session_id, data.client);
  },
  handlers: Object.fromEntries(
    (Object.keys(deckMessages) as DeckEvent[]).map((event) => [event, handlerOf(event)]),
  ) as unknown as Handlers,
});

/** Topic of a deck session's debug log, for its user only. */
export const deckDebugTopic = defineChannel(deckDebugChannel, {
  join: async (context, viewer, { deck_session_id }) =>
    (await openDebugLog(context, viewer, deck_session_id)) ? {} : null,
});
