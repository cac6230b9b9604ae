import type { ChannelSpec } from '@stem-studio/contract/channel';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/database.ts';
import { invalid } from '../errors.ts';
import { parseFields } from '../http/parse-input.ts';
import type { Viewer } from '../http/viewer.ts';
import type { FramePayload } from './frame-codec.ts';
import { publish } from './publish.ts';

/** Message from a client to a topic it has joined. */
export interface ChannelMessage<P, Payload> {
  readonly context: Context;
  readonly viewer: Viewer;
  /** Parameters of the topic. */
  readonly params: P;
  readonly payload: Payload;
  /**
   * Pushes an event to all clients of the topic, in every process, except the socket that sent the message. Part of
   * `db`'s transaction if one is given.
   */
  readonly broadcastFrom: (event: string, payload: object, db?: Db | Tx) => Promise<void>;
}

/** Reply of a handler. No value is sent as `{}`, bytes are sent as bytes. */
type ChannelReply = FramePayload | void;

/** Handlers for all messages that the contract allows clients to send to the topic. */
type HandlersOf<T extends ChannelSpec> = T extends { readonly messages: infer M }
  ? {
      readonly handlers: {
        readonly [E in keyof M]: (
          message: ChannelMessage<z.output<T['params']>, M[E] extends z.ZodType ? z.output<M[E]> : never>,
        ) => Promise<ChannelReply>;
      };
    }
  : { readonly handlers?: undefined };

/** Options of `defineChannel` beside the contract's spec. */
export type ChannelOptions<T extends ChannelSpec> = HandlersOf<T> & {
  /**
   * Resolves a topic alias, such as `decks:current`, to the parameters of the actual topic. Events are published under
   * the actual topic. Null means "not found". The client continues to use the alias.
   */
  readonly locate?: (
    context: Context,
    viewer: Viewer,
    params: z.output<T['params']>,
  ) => Promise<z.output<T['params']> | null>;
  /** Returns the reply to a join. Null means "not found", also for topics of other users. */
  join(
    context: Context,
    viewer: Viewer,
    params: z.output<T['params']>,
  ): Promise<Record<string, unknown> | null>;
  /**
   * Handles a client that has closed its connection without leaving, after its last message. Not called when the
   * service closes the connection.
   *
   * @param joined payload of the client's join, not validated
   */
  readonly disconnected?: (
    context: Context,
    viewer: Viewer,
    params: z.output<T['params']>,
    joined: FramePayload,
  ) => Promise<void>;
};

/** Sender and topic of a message. */
export interface MessageSource {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly params: Record<string, unknown>;
  /** Id of the socket, which excludes it from its own broadcasts. */
  readonly socketId: string;
}

/** Topic of the socket with its handlers. */
export interface ChannelHandler {
  readonly spec: ChannelSpec;
  /** Resolves an alias to the parameters of the actual topic. */
  readonly locate?: (
    context: Context,
    viewer: Viewer,
    params: Record<string, unknown>,
  ) => Promise<Record<string, unknown> | null>;
  join(
    context: Context,
    viewer: Viewer,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown> | null>;
  readonly disconnected?: (
    context: Context,
    viewer: Viewer,
    params: Record<string, unknown>,
    joined: FramePayload,
  ) => Promise<void>;
  /**
   * Handles a message and returns the reply, or null if the topic has no message of that name. Throws
   * `VALIDATION_ERROR` if the payload does not match the contract.
   */
  handle(source: MessageSource, event: string, payload: FramePayload): Promise<FramePayload | null>;
}

type AnyHandler = (message: ChannelMessage<unknown, unknown>) => Promise<ChannelReply>;

/**
 * Declares a channel: access control, reply to joins, and handlers of messages. A handler that throws a `ServiceError`
 * rejects the message; any other error ends the join, and the client joins again.
 */
export function defineChannel<const T extends ChannelSpec>(
  spec: T,
  options: ChannelOptions<T>,
): ChannelHandler {
  const handlers = (options.handlers ?? {}) as Readonly<Record<string, AnyHandler>>;
  const { locate, disconnected } = options;
  return {
    spec,
    ...(locate && {
      locate: (context: Context, viewer: Viewer, params: Record<string, unknown>) =>
        locate(context, viewer, params as z.output<T['params']>),
    }),
    ...(disconnected && {
      disconnected: (
        context: Context,
        viewer: Viewer,
        params: Record<string, unknown>,
        joined: FramePayload,
      ) => disconnected(context, viewer, params as z.output<T['params']>, joined),
    }),
    join: (context, viewer, params) => options.join(context, viewer, params as z.output<T['params']>),
    handle: async ({ context, viewer, params, socketId }, event, payload) => {
      const schema = spec.messages && Object.hasOwn(spec.messages, event) ? spec.messages[event] : undefined;
      const handler = handlers[event];
      if (!schema || !handler) return null;
      const answer = await handler({
        context,
        viewer,
        params,
        payload:
          payload instanceof Uint8Array
            ? parseBytes(schema, payload)
            : parseFields(schema, payload, 'payload'),
        broadcastFrom: (name, content, db = context.db) =>
          publish(db, spec, params as Record<string, string | number>, name, content, { from: socketId }),
      });
      return answer ?? {};
    },
  };
}

function parseBytes(schema: z.ZodType, bytes: Uint8Array): unknown {
  const parsed = schema.safeParse(bytes);
  if (!parsed.success) throw invalid({ payload: ['must be JSON, not bytes'] });
  return parsed.data;
}
