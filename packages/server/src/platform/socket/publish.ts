import { type ChannelSpec, topicOf } from '@stem-studio/contract/channel';
import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import { type BusMessage, busChannel } from './bus.ts';

/** PostgreSQL refuses notifications of 8,000 bytes and more. */
const largestNotificationBytes = 7000;

/**
 * Sends a message to every process of the service. It is part of the caller's transaction: heard once that commits,
 * never if it does not.
 */
export async function announce(db: Db | Tx, message: BusMessage): Promise<void> {
  const body = JSON.stringify([message.topic, message.event, message.payload]);
  if (Buffer.byteLength(body) <= largestNotificationBytes) {
    await sql`select pg_notify(${busChannel}, ${body})`.execute(db);
    return;
  }
  await sql`
    with stored as (insert into bus_messages (body) values (${body}) returning id)
    select pg_notify(${busChannel}, id::text) from stored`.execute(db);
}

/**
 * Pushes an event to everybody who has joined the topic, in every process. Part of the caller's transaction. The
 * payload is checked against the contract outside production by the socket server's tests, not here.
 */
export async function publish(
  db: Db | Tx,
  spec: ChannelSpec,
  params: Readonly<Record<string, string | number>>,
  event: string,
  payload: object,
): Promise<void> {
  await announce(db, { topic: topicOf(spec, params), event, payload: payload as Record<string, unknown> });
}
