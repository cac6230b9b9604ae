import { scryptSync } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { SealedTextError } from '../../platform/crypto/sealed-text.ts';
import { SecretText } from '../../platform/crypto/secret-text.ts';
import { newId } from '../../platform/ids.ts';
import { recordAudit } from '../audit/index.ts';
import {
  type ConnectionRow,
  type ConnectionTest,
  deleteConnection,
  findConnection,
  findConnectionById,
  insertConnection,
  lockConnecting,
  openSecret,
  sealSecret,
} from '../connections/index.ts';
import { type CloudClient, createCloudClient } from './cloud.client.ts';
import { CloudError } from './cloud-error.ts';

/** Key to which a user's separations are charged. */
export interface CloudKey {
  /** The user's own key, or the system key of the operator. */
  readonly source: 'own' | 'system';
  /** Identifies the key in the ledger without revealing it. */
  readonly account: string;
  readonly client: CloudClient;
}

/** Instruction on where to set a key, added to every refusal for lack of one. */
export const cloudKeyRule =
  'the cloud engine needs a key of the cloud service: set yours under Settings → Cloud separation (/users/settings#cloud), or ask the operator of this studio to set CLOUDSEP_KEY';

const keyForm = /^[\x21-\x7e]{8,200}$/;
const systemAccounts = new Map<string, string>();

/** Returns a name of the system key that changes only with the key and does not reveal it. */
function systemAccount(key: string): string {
  const known = systemAccounts.get(key);
  if (known !== undefined) return known;
  const account = `system:${scryptSync(key, 'stem-studio cloud account', 12).toString('hex')}`;
  systemAccounts.set(key, account);
  return account;
}

function clientFor({ config }: Context, key: SecretText): CloudClient {
  const { url, replySeconds } = config.cloudsep;
  return createCloudClient({ url, key, replySeconds });
}

function toKey(context: Context, row: ConnectionRow): CloudKey {
  const key = openSecret(context, row);
  return { source: 'own', account: `own:${row.id}`, client: clientFor(context, key) };
}

function systemKey(context: Context): CloudKey | null {
  const { key } = context.config.cloudsep;
  if (key === null) return null;
  return {
    source: 'system',
    account: systemAccount(key),
    client: clientFor(context, new SecretText(key)),
  };
}

/**
 * Returns the key for a user's separations: their own, otherwise the system's; null if neither exists.
 *
 * @throws CloudError `key` if their own key is unreadable: it is not silently replaced by the system's
 */
export async function findCloudKey(context: Context, userId: number): Promise<CloudKey | null> {
  const row = await findConnection(context.db, userId, 'cloud_separation');
  if (!row) return systemKey(context);
  try {
    return toKey(context, row);
  } catch (error) {
    if (!(error instanceof SealedTextError)) throw error;
    context.log.warn({ err: error, user_id: userId }, 'a key of the cloud service cannot be read');
    throw new CloudError(
      'key',
      'your key of the cloud service can no longer be read: save it again under Settings',
    );
  }
}

/** Returns the source of the key that would be charged, without decrypting it; null if there is none. */
export async function findKeySource(context: Context, userId: number): Promise<CloudKey['source'] | null> {
  if (await findConnection(context.db, userId, 'cloud_separation')) return 'own';
  return context.config.cloudsep.key === null ? null : 'system';
}

/** Returns the key of a ledger account; null if it was deleted, is unreadable, or the system key has changed. */
export async function findKeyOfAccount(context: Context, account: string): Promise<CloudKey | null> {
  const own = /^own:(.+)$/.exec(account)?.[1];
  if (own === undefined) {
    const key = systemKey(context);
    return key?.account === account ? key : null;
  }
  const row = await findConnectionById(context.db, own);
  try {
    return row?.kind === 'cloud_separation' ? toKey(context, row) : null;
  } catch (error) {
    if (error instanceof SealedTextError) return null;
    throw error;
  }
}

/** Result of saving a key: accepted, with the minutes left if reported by the service, or refused. */
export type SavedKey =
  | { readonly kind: 'saved'; readonly minutesLeft: number | null }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Stores a user's own key and records it in the audit log. The service verifies the key; if it is unreachable, the
 * key is accepted unverified.
 */
export async function saveCloudKey(context: Context, userId: number, given: string): Promise<SavedKey> {
  const text = given.trim();
  if (!keyForm.test(text)) return { kind: 'refused', why: 'must be 8 to 200 letters, digits or signs' };
  const key = new SecretText(text);
  let minutesLeft: number | null = null;
  try {
    minutesLeft = await clientFor(context, key).minutesLeft();
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (!error.isPassing) return { kind: 'refused', why: `is refused: ${error.message}` };
  }
  await context.db.transaction().execute(async (tx) => {
    await lockConnecting(tx, userId, 'cloud_separation');
    const before = await findConnection(tx, userId, 'cloud_separation');
    // The same key keeps its ledger name, so that paid separations stay assigned to it.
    const id = before && isSameKey(context, before, key) ? before.id : newId();
    const owner = { id, user_id: userId };
    await deleteConnection(tx, userId, 'cloud_separation');
    await insertConnection(tx, {
      ...owner,
      kind: 'cloud_separation',
      label: text.slice(-4),
      secret: sealSecret(context, owner, key),
      connected_at: context.clock.now(),
    });
    await recordAudit(tx, {
      action: 'cloud_key_set',
      actor_user_id: userId,
      target_user_id: userId,
      details: { provider_type: 'cloudsep', key_id: id, is_replaced: before !== null },
    });
  });
  return { kind: 'saved', minutesLeft };
}

function isSameKey(context: Context, row: ConnectionRow, given: SecretText): boolean {
  try {
    return openSecret(context, row).reveal() === given.reveal();
  } catch (error) {
    if (error instanceof SealedTextError) return false;
    throw error;
  }
}

/** Deletes a user's own key and records it in the audit log. Returns false if they have none. */
export function deleteCloudKey(context: Context, userId: number): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const id = await deleteConnection(tx, userId, 'cloud_separation');
    if (id === null) return false;
    await recordAudit(tx, {
      action: 'cloud_key_deleted',
      actor_user_id: userId,
      target_user_id: userId,
      details: { provider_type: 'cloudsep', key_id: id },
    });
    return true;
  });
}

/** Returns the displayable data of a user's own key: its last characters and its date; null if they have none. */
export async function describeCloudKey(
  context: Context,
  userId: number,
): Promise<{ readonly hint: string; readonly created_at: Date } | null> {
  const row = await findConnection(context.db, userId, 'cloud_separation');
  return row && { hint: row.label, created_at: row.connected_at };
}

/** Tests whether the cloud service accepts the user's own key. */
export async function testCloudKey(context: Context, userId: number): Promise<ConnectionTest> {
  const row = await findConnection(context.db, userId, 'cloud_separation');
  if (!row) return 'none';
  try {
    await toKey(context, row).client.minutesLeft();
    return 'works';
  } catch (error) {
    if (error instanceof SealedTextError) return 'refused';
    if (!(error instanceof CloudError)) throw error;
    return error.isPassing ? 'unreachable' : 'refused';
  }
}
