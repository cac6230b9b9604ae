import type { ChannelSpec } from '@stem-studio/contract/channel';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/database.ts';
import { invalid } from '../errors.ts';
import { parseFields } from '../http/parse-input.ts';
import type { Viewer } from '../http/viewer.ts';
import type { FramePayload } from './frame-codec.ts';
import { publish } from './publish.ts';

/** A message that a client sent to a topic it has joined. */
export interface ChannelMessage<P, Payload> {
  readonly context: Context;
  readonly viewer: Viewer;
  /** The topic's parameters. */
  readonly params: P;
  readonly payload: Payload;
  /**
   * Pushes an event to everybody who has joined the topic, in every process, but not to the socket that sent the
   * message. Part of `db`'s transaction where one is given.
   */
  readonly broadcastFrom: (event: string, payload: object, db?: Db | Tx) => Promise<void>;
}

/** What a handler answers its sender with: nothing is `{}`, bytes are sent as bytes. */
type ChannelReply = FramePayload | void;

/** A handler for each message that the contract lets clients send to the topic. */
type HandlersOf<T extends ChannelSpec> = T extends { readonly messages: infer M }
  ? {
      readonly handlers: {
        readonly [E in keyof M]: (
          message: ChannelMessage<z.output<T['params']>, M[E] extends z.ZodType ? z.output<M[E]> : never>,
        ) => Promise<ChannelReply>;
      };
    }
  : { readonly handlers?: undefined };

/** What `defineChannel` needs beside the contract's spec. */
export type ChannelOptions<T extends ChannelSpec> = HandlersOf<T> & {
  /**
   * For topics that have a second name, such as `decks:current`: the parameters of the one that is meant, under which
   * its news are published; null says "not found". The client goes on calling it as it did.
   */
  readonly locate?: (
    context: Context,
    viewer: Viewer,
    params: z.output<T['params']>,
  ) => Promise<z.output<T['params']> | null>;
  /** What a join answers; null says "not found", which is all that others' topics ever say. */
  join(
    context: Context,
    viewer: Viewer,
    params: z.output<T['params']>,
  ): Promise<Record<string, unknown> | null>;
};

/** Who sent a message, and to which topic. */
export interface MessageSource {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly params: Record<string, unknown>;
  /** The socket's own name, by which it does not hear what it caused. */
  readonly socketId: string;
}

/** A topic of the socket with its code. */
export interface ChannelHandler {
  readonly spec: ChannelSpec;
  /** Of a topic that has a second name: the parameters of the one that is meant. */
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
  /**
   * Answers a message; null when the topic has none of that name. Throws `VALIDATION_ERROR` for a payload that is not
   * as the contract says.
   */
  handle(source: MessageSource, event: string, payload: FramePayload): Promise<FramePayload | null>;
}

type AnyHandler = (message: ChannelMessage<unknown, unknown>) => Promise<ChannelReply>;

/**
 * Declares who may join a topic, what they are told first, and what becomes of their messages. A handler that throws a
 * `ServiceError` refuses the message; any other throw ends the join, and the client joins again.
 */
export function defineChannel<const T extends ChannelSpec>(
  spec: T,
  options: ChannelOptions<T>,
): ChannelHandler {
  const handlers = (options.handlers ?? {}) as Readonly<Record<string, AnyHandler>>;
  const { locate } = options;
  return {
    spec,
    ...(locate && {
      locate: (context: Context, viewer: Viewer, params: Record<string, unknown>) =>
        locate(context, viewer, params as z.output<T['params']>),
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
        broadcastFrom: (name, news, db = context.db) =>
          publish(db, spec, params as Record<string, string | number>, name, news, { from: socketId }),
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
