import { Socket } from 'node:net';
import { Client } from 'pg';
import { type Connection, clientConfig } from '../db/connection.ts';

/**
 * Runs `work` on a dedicated connection without time limits, because a backup may take hours. When `signal` aborts, the
 * connection is cut, which also ends a COPY in progress.
 */
export async function withBackupConnection<T>(
  connection: Connection,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const socket = new Socket();
  const config = clientConfig(connection, 0);
  const client = new Client({
    ...config,
    options: `${config.options} -c idle_in_transaction_session_timeout=0`,
    application_name: 'stem-studio-backup',
    stream: () => socket,
  });
  client.on('error', () => undefined);
  const cut = () => void socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    const result = await work(client);
    signal.throwIfAborted();
    return result;
  } catch (error) {
    // The reason of an abort is more informative than the connection error that it caused.
    signal.throwIfAborted();
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    if (!socket.destroyed) await client.end().catch(() => undefined);
  }
}

/** Configures a session so that values have exact, server-independent texts, as `pg_dump` does. */
export async function setExactText(client: Client): Promise<void> {
  await client.query(
    "set client_encoding to 'UTF8'; set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres'; set timezone to 'UTC'; set extra_float_digits to 3; set bytea_output to 'hex'",
  );
}
