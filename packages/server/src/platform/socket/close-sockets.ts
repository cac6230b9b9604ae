import type { Db, Tx } from '../db/database.ts';
import { announce } from './publish.ts';

/** Internal topic that tells every process to close sockets. No channel has a topic of this form. */
export const closeTopic = 'system:sockets';

/** Whose sockets: all of a user, those of one login session, or those of one API key. */
export type SocketOwner =
  | { readonly user_id: number }
  | { readonly login_session_id: string }
  | { readonly api_key_id: string };

/**
 * Closes sockets in every process: of a user who was deactivated, of a login session that ended, of a key that was
 * revoked. Part of the caller's transaction.
 */
export async function closeSockets(db: Db | Tx, owner: SocketOwner): Promise<void> {
  await announce(db, { topic: closeTopic, event: 'close', payload: { ...owner } });
}
