import type { Context } from '../../../platform/context.ts';
import { randomToken } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  insertConnection,
  lockConnection,
  lockConnectionOfAccount,
  updateConnection,
} from '../../connections/index.ts';
import { findUser, insertUser } from '../../users/index.ts';
import { beginLogin, endLogin, type NewLogin } from '../log-in.service.ts';
import { catalogRedirectUri } from './catalog-address.ts';
import { beginAttempt, finishAttempt, readAttempt } from './catalog-attempt.ts';
import { CatalogLoginError } from './catalog-login-error.ts';
import { type CatalogProfile, createCatalogOAuth, type PersonTokens } from './catalog-oauth.client.ts';
import { sealTokens } from './sealed-tokens.ts';

const linkPurpose = 'catalog link';

/** Reasons to refuse a log-in or a link that the catalog itself accepted. */
export type CatalogRefusal =
  /** The browser was not sent by this service, already returned, or took too long. */
  | 'stale'
  | 'closed'
  | 'deactivated'
  /** The catalog account is linked to another user. */
  | 'taken'
  /** The user is linked to another catalog account. */
  | 'linked-otherwise';

/** Result of a browser's return from the catalog. */
export type CatalogOutcome = NewLogin | 'linked' | { readonly refused: CatalogRefusal };

/** Returns the configured OAuth client of the catalog. */
export function catalogOAuthOf({ config }: Context) {
  return createCatalogOAuth({ webCatalog: config.webCatalog, redirectUri: catalogRedirectUri(config) });
}

/**
 * Returns the token of the link on the settings page. It prevents other sites from starting to link a catalog account
 * for their visitor.
 */
export function linkTokenFor(context: Context, viewer: Viewer): string {
  return context.secrets.sign(linkPurpose, viewer.login_session_id ?? '');
}

/** Tells whether a token came from the settings page of this login. */
export function isLinkToken(context: Context, viewer: Viewer, token: string): boolean {
  const { login_session_id } = viewer;
  return login_session_id !== null && context.secrets.verify(linkPurpose, token) === login_session_id;
}

/**
 * Starts an authorization request: returns the catalog's address and the cookie the browser must return with.
 *
 * @param linking user to be linked; null for a log-in
 */
export async function startCatalogLogin(
  context: Context,
  linking: Viewer | null,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const { cookie, state, verifier } = await beginAttempt(context, linking?.login_session_id ?? null);
  const url = await catalogOAuthOf(context).authorizeUrl({ state, verifier, asksAnew: linking !== null });
  return { url, cookie };
}

/**
 * Handles a browser's return from the catalog. Logs in the user linked to the catalog account, registers a new user
 * if there is none and registration is open, or links the account to the user who started it on the settings page.
 * The account's id alone identifies the user, because the catalog does not verify email addresses.
 *
 * @throws CatalogLoginError if the user declined or the catalog refused
 * @spec Catalog login
 */
export async function completeCatalogLogin(
  context: Context,
  given: {
    readonly cookie: string | null;
    readonly query: URLSearchParams;
    readonly viewer: Viewer | null;
    readonly userAgent: string;
  },
): Promise<CatalogOutcome> {
  const attempt = readAttempt(context, given.cookie);
  if (!attempt) return { refused: 'stale' };
  const catalog = catalogOAuthOf(context);
  let answer: URLSearchParams;
  try {
    answer = catalog.readReturn(given.query, attempt.state);
  } catch (error) {
    // An error with the right state consumes the attempt; with a wrong state, the right callback may still come.
    const isOurs = error instanceof CatalogLoginError && error.reason !== 'void';
    if (isOurs && (await finishAttempt(context, attempt))) throw error;
    return { refused: 'stale' };
  }
  const taken = await finishAttempt(context, attempt);
  if (!taken) return { refused: 'stale' };
  const linking = taken.linking_session_id;
  if (linking !== null && linking !== given.viewer?.login_session_id) return { refused: 'stale' };
  const tokens = await catalog.exchange(answer, attempt.verifier);
  const profile = await catalog.profileOf(tokens.accessToken);
  const person = { profile, tokens };
  return linking !== null && given.viewer
    ? await link(context, given.viewer.id, person)
    : await logInOrRegister(context, person, given);
}

interface Person {
  readonly profile: CatalogProfile;
  readonly tokens: PersonTokens;
}

async function keepTokens(context: Context, tx: Tx, row: ConnectionRow, person: Person) {
  await updateConnection(tx, row.id, {
    ...sealTokens(context, row, person.tokens),
    label: person.profile.displayName,
  });
}

async function insertLink(context: Context, tx: Tx, userId: number, { profile, tokens }: Person) {
  const owner = { id: newId(), user_id: userId };
  const isNew = await insertConnection(tx, {
    ...owner,
    kind: 'web_catalog',
    ...sealTokens(context, owner, tokens),
    account_id: profile.accountId,
    label: profile.displayName,
    connected_at: context.clock.now(),
  });
  if (!isNew) throw new LinkedMeanwhile();
  await recordAudit(tx, {
    action: 'catalog_account_linked',
    actor_user_id: userId,
    target_user_id: userId,
    details: {},
  });
}

/** Thrown when a concurrent request linked the same account first, so that its result is read again. */
class LinkedMeanwhile extends Error {}

/** Runs `work`, and once more if a concurrent request linked the account. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (error instanceof LinkedMeanwhile) return work();
    throw error;
  });
}

function link(context: Context, userId: number, person: Person): Promise<CatalogOutcome> {
  return again(() =>
    context.db.transaction().execute(async (tx): Promise<CatalogOutcome> => {
      const known = await lockConnectionOfAccount(tx, 'web_catalog', person.profile.accountId);
      if (known && known.user_id !== userId) return { refused: 'taken' };
      if (!known && (await findConnection(tx, userId, 'web_catalog'))) return { refused: 'linked-otherwise' };
      if (known) await keepTokens(context, tx, known, person);
      else await insertLink(context, tx, userId, person);
      return 'linked';
    }),
  );
}

/**
 * Returns a unique, undeliverable placeholder address for a user who registers by the catalog, whose address is
 * unknown.
 */
function noAddress(): string {
  return `catalog-${randomToken(9).toLowerCase().replace(/[_-]/g, '0')}@users.invalid`;
}

function logInOrRegister(
  context: Context,
  person: Person,
  given: { readonly viewer: Viewer | null; readonly userAgent: string },
): Promise<CatalogOutcome> {
  return again(() =>
    context.db.transaction().execute(async (tx): Promise<CatalogOutcome> => {
      const known = await lockConnectionOfAccount(tx, 'web_catalog', person.profile.accountId);
      const user = known && (await findUser(tx, known.user_id));
      if (user && user.status !== 'active') return { refused: 'deactivated' };
      if (!user && context.config.registration === 'closed') return { refused: 'closed' };
      let userId = user?.id;
      if (known) await keepTokens(context, tx, known, person);
      if (userId === undefined) {
        const row = {
          email: noAddress(),
          password_hash: null,
          role: 'user',
          created_at: context.clock.now(),
        } as const;
        const made = await insertUser(tx, row);
        if (!made) throw new LinkedMeanwhile();
        userId = made.id;
        await insertLink(context, tx, userId, person);
      }
      const before = given.viewer?.login_session_id;
      if (before) await endLogin(tx, before);
      return await beginLogin(context, tx, userId, given.userAgent);
    }),
  );
}

/**
 * Unlinks the user's catalog account and deletes its tokens. Returns `only-way` if the user has no password and could
 * no longer log in.
 */
export function unlinkCatalog(
  context: Context,
  userId: number,
): Promise<'unlinked' | 'only-way' | 'not-linked'> {
  return context.db.transaction().execute(async (tx) => {
    const row = await lockConnection(tx, userId, 'web_catalog');
    if (!row) return 'not-linked';
    if ((await findUser(tx, userId))?.password_hash === null) return 'only-way';
    await deleteConnection(tx, userId, 'web_catalog');
    await recordAudit(tx, {
      action: 'catalog_account_unlinked',
      actor_user_id: userId,
      target_user_id: userId,
      details: {},
    });
    return 'unlinked';
  });
}
