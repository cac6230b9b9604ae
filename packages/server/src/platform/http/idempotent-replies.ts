import { createHash } from 'node:crypto';
import { answersRememberedSeconds } from '@stem-studio/contract/limits';
import { pause } from '../clock.ts';
import type { Context } from '../context.ts';
import { badRequest, messageOf, ServiceError, stateForbids } from '../errors.ts';
import { newId } from '../ids.ts';
import { announce } from '../socket/publish.ts';
import * as store from './idempotent-replies.store.ts';

/** Reply as it is sent: the body as JSON text, or null. */
export interface Answer {
  readonly status: number;
  readonly body: string | null;
}

/** Time without renewal after which a claim expires, in seconds: its process is taken to be dead. */
const claimSeconds = 60;
/**
 * Interval at which a waiting request checks for the reply, in ms. Normally a notification arrives first; this covers
 * lost ones.
 */
const lookAgainMs = 5000;

/** Reads an `Idempotency-Key` header. Returns undefined if it is missing. Throws 400 if it is invalid. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw badRequest('the Idempotency-Key must be 1 to 255 visible ASCII characters without spaces');
}

/** Returns a SHA-256 fingerprint of a request for comparison. */
export function fingerprintOf(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/**
 * Returns whether a reply is stored for repeated requests. Failures and rate limits are not, because they may be
 * temporary.
 */
function isLasting(status: number): boolean {
  return status < 500 && status !== 429;
}

/**
 * Replies to a request idempotently. A repetition of the same request within 24 hours, in any process, gets the first
 * reply; concurrent repetitions wait for it. Server failures and rate limit errors are not stored, so the next request
 * is executed again. Throws 422 `IDEMPOTENCY_KEY_REUSED` if the key was used for a different request.
 *
 * @param make produces the reply; an error that it throws is rethrown, and stored if it is permanent
 */
export async function answerOnce(
  context: Context,
  idempotencyKey: store.IdempotencyKey,
  fingerprint: string,
  make: () => Promise<Answer>,
): Promise<Answer & { readonly isRepeated: boolean }> {
  const topic = `system:answers:${createHash('sha256').update(JSON.stringify(idempotencyKey)).digest('hex')}`;
  for (;;) {
    const settled = new AbortController();
    // Subscribed before the check, so that a reply that is stored in between is not missed.
    const stop = context.bus.subscribe(topic, () => settled.abort());
    try {
      const claimId = newId();
      if (await claim(context, idempotencyKey, claimId, fingerprint))
        return { ...(await makeAndKeep(context, idempotencyKey, claimId, topic, make)), isRepeated: false };
      const first = await store.findAnswer(context.db, idempotencyKey);
      if (first && first.fingerprint !== fingerprint) {
        throw stateForbids(
          'IDEMPOTENCY_KEY_REUSED',
          'this Idempotency-Key came with another request before: use a new key for a new request',
        );
      }
      if (first && first.status !== null) return { status: first.status, body: first.body, isRepeated: true };
      if (first) await pause(lookAgainMs, settled.signal);
    } finally {
      stop();
    }
  }
}

function claim(
  context: Context,
  idempotencyKey: store.IdempotencyKey,
  id: string,
  fingerprint: string,
): Promise<boolean> {
  const now = context.clock.now();
  const forgottenBefore = new Date(now.getTime() - answersRememberedSeconds * 1000);
  return store.claimAnswer(context.db, idempotencyKey, {
    id,
    fingerprint,
    now,
    until: claimEnd(now),
    forgottenBefore,
  });
}

const claimEnd = (now: Date) => new Date(now.getTime() + claimSeconds * 1000);

async function makeAndKeep(
  context: Context,
  idempotencyKey: store.IdempotencyKey,
  claimId: string,
  topic: string,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const renewal = setInterval(
    () => {
      const until = claimEnd(context.clock.now());
      store
        .extendClaim(context.db, idempotencyKey, claimId, until)
        .catch((error: unknown) => context.log.warn(`a claim was not extended: ${messageOf(error)}`));
    },
    (claimSeconds * 1000) / 3,
  );
  const settle = async (answer: Answer | null) => {
    if (answer && isLasting(answer.status))
      await store.keepAnswer(context.db, idempotencyKey, claimId, answer);
    else await store.dropClaim(context.db, idempotencyKey, claimId);
    await announce(context.db, { topic, event: 'settled', payload: {} });
  };
  try {
    const answer = await make();
    await settle(answer);
    return answer;
  } catch (error) {
    const refusal = error instanceof ServiceError ? error : null;
    await settle(refusal && { status: refusal.status, body: JSON.stringify(refusal.toBody()) });
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Deletes expired replies. */
export function sweepIdempotentReplies(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - answersRememberedSeconds * 1000);
  return store.deleteAnswers(context.db, before);
}
