import type { Db, Tx } from '../db/database.ts';
import { announce } from './publish.ts';

/** Internal topic that makes every process close sockets. No channel uses a topic of this form. */
export const closeTopic = 'system:sockets';

/** Selects sockets: all of a user, of one login session, or of one API key. */
export type SocketOwner =
  | { readonly user_id: number }
  | { readonly login_session_id: string }
  | { readonly api_key_id: string };

/**
 * Closes sockets in every process, after a user was deactivated, a login session ended or a key was revoked. Part of
 * the caller's transaction.
 */
export async function closeSockets(db: Db | Tx, owner: SocketOwner): Promise<void> {
  await announce(db, { topic: closeTopic, event: 'close', payload: { ...owner } });
}
