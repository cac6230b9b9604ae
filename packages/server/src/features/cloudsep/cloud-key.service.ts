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

/** A key that separations of somebody are paid with. */
export interface CloudKey {
  /** Their own, or the one of whoever runs the studio. */
  readonly source: 'own' | 'system';
  /** Names the key in the ledger and tells nothing of it. */
  readonly account: string;
  readonly client: CloudClient;
}

/** Where a key is set, in the words of every refusal for want of one. */
export const cloudKeyRule =
  'the cloud engine needs a key of the cloud service: set yours under Settings → Cloud separation (/users/settings#cloud), or ask whoever runs this studio to set CLOUDSEP_KEY';

const keyForm = /^[\x21-\x7e]{8,200}$/;
const systemAccounts = new Map<string, string>();

/** A name for the system key that stays the same while the key does, and from which the key cannot be found. */
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
 * The key that a user's separations are paid with: their own, else the system's; null where there is neither.
 *
 * @throws CloudError `key` where their own cannot be read any more: the system's does not pay in its place unasked
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
      'your key of the cloud service cannot be read any more: set it anew under Settings',
    );
  }
}

/** Whose key would pay, without opening it; null where there is none. */
export async function findKeySource(context: Context, userId: number): Promise<CloudKey['source'] | null> {
  if (await findConnection(context.db, userId, 'cloud_separation')) return 'own';
  return context.config.cloudsep.key === null ? null : 'system';
}

/** The key of an account of the ledger; null where it is gone, cannot be read, or the system has another by now. */
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

/** What became of a key that somebody gave: taken, with the minutes left where the service told, or refused. */
export type SavedKey =
  | { readonly kind: 'saved'; readonly minutesLeft: number | null }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Gives a user a key of their own, and says so in the audit log. The service is asked whether it knows the key; when it
 * cannot be reached, the key is taken unseen.
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
    // The same key keeps its name in the ledger: what it has paid for stays paid.
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

/** Forgets a user's own key, and says so in the audit log; false where they have none. */
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

/** What may be told of a user's own key: its last characters and since when; null where they have none. */
export async function describeCloudKey(
  context: Context,
  userId: number,
): Promise<{ readonly hint: string; readonly created_at: Date } | null> {
  const row = await findConnection(context.db, userId, 'cloud_separation');
  return row && { hint: row.label, created_at: row.connected_at };
}

/** Asks the cloud service whether it accepts the user's own key. */
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
