import { type ChannelSpec, topicOf } from '@stem-studio/contract/channel';
import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import { type BusMessage, busChannel, toWire } from './bus.ts';

/** PostgreSQL rejects notifications of 8,000 bytes and more. */
const largestNotificationBytes = 7000;

const bodyOf = ({ topic, event, payload }: BusMessage) => JSON.stringify([topic, event, payload]);

/** Sends many messages like {@link announce}, delivered in their order. Short messages share one statement. */
export async function announceAll(db: Db | Tx, messages: readonly BusMessage[]): Promise<void> {
  let bodies: string[] = [];
  const flush = async () => {
    if (bodies.length === 0) return;
    const list = bodies;
    bodies = [];
    await sql`select pg_notify(${busChannel}, body) from unnest(${list}::text[]) as body`.execute(db);
  };
  for (const message of messages) {
    const body = bodyOf(message);
    if (Buffer.byteLength(body) <= largestNotificationBytes) {
      bodies.push(body);
      continue;
    }
    await flush();
    await announce(db, message);
  }
  await flush();
}

/**
 * Sends a message to every process of the service. Part of the caller's transaction: delivered after the commit, never
 * after a rollback.
 */
export async function announce(db: Db | Tx, message: BusMessage): Promise<void> {
  const body = toWire(message);
  if (Buffer.byteLength(body) <= largestNotificationBytes) {
    await sql`select pg_notify(${busChannel}, ${body})`.execute(db);
    return;
  }
  await sql`
    with stored as (insert into bus_messages (body) values (${body}) returning id)
    select pg_notify(${busChannel}, id::text) from stored`.execute(db);
}

/** Options of {@link publish}. */
export interface PublishOptions {
  /** Id of the socket that caused the event and does not receive it. */
  readonly from?: string;
}

/**
 * Pushes an event to all clients of the topic, in every process. Part of the caller's transaction. A `Uint8Array`
 * payload is pushed as bytes. Outside production the sockets check the payload against the contract.
 */
export async function publish(
  db: Db | Tx,
  spec: ChannelSpec,
  params: Readonly<Record<string, string | number>>,
  event: string,
  payload: object,
  options: PublishOptions = {},
): Promise<void> {
  const content =
    payload instanceof Uint8Array
      ? { payload: {}, bytes: payload }
      : { payload: payload as Record<string, unknown> };
  await announce(db, { topic: topicOf(spec, params), event, ...content, from: options.from });
}
