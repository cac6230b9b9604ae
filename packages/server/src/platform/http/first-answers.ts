import { createHash } from 'node:crypto';
import { answersRememberedSeconds } from '@stem-studio/contract/limits';
import { pause } from '../clock.ts';
import type { Context } from '../context.ts';
import { badRequest, messageOf, ServiceError, stateForbids } from '../errors.ts';
import { newId } from '../ids.ts';
import { announce } from '../socket/publish.ts';
import * as store from './first-answers.store.ts';

/** A reply as it is sent: the body as JSON text, or nothing. */
export interface Answer {
  readonly status: number;
  readonly body: string | null;
}

/** A claim that has not been renewed for so long is that of a process that is gone. */
const claimSeconds = 60;
/** Whoever waits for another one's answer hears of it at once; this is for news that were lost. */
const lookAgainMs = 5000;

/** Reads an `Idempotency-Key` header; undefined where there is none. Throws 400 for one that is not a key. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw badRequest('the Idempotency-Key must be 1 to 255 visible ASCII characters without spaces');
}

/** What is asked, in so few characters that it can be compared. */
export function fingerprintOf(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/** Whether the same request should find this answer again: not what may be another one in a moment. */
function isLasting(status: number): boolean {
  return status < 500 && status !== 429;
}

/**
 * Answers a request once: the same one again, within 24 hours and in whatever process, gets the first answer, and those
 * that come while it is made wait for it. Failures of the service and refusals for too many requests are not kept: the
 * next request tries again. Throws 422 `IDEMPOTENCY_KEY_REUSED` when the key came with another request before.
 *
 * @param make makes the answer; what it throws is thrown, and kept where it is a refusal that lasts
 */
export async function answerOnce(
  context: Context,
  place: store.AnswerPlace,
  fingerprint: string,
  make: () => Promise<Answer>,
): Promise<Answer & { readonly isRepeated: boolean }> {
  const topic = `system:answers:${createHash('sha256').update(JSON.stringify(place)).digest('hex')}`;
  for (;;) {
    const news = new AbortController();
    // Before looking, so that an answer that comes in between is heard.
    const stop = context.bus.subscribe(topic, () => news.abort());
    try {
      const claimId = newId();
      if (await claim(context, place, claimId, fingerprint))
        return { ...(await makeAndKeep(context, place, claimId, topic, make)), isRepeated: false };
      const first = await store.findAnswer(context.db, place);
      if (first && first.fingerprint !== fingerprint) {
        throw stateForbids(
          'IDEMPOTENCY_KEY_REUSED',
          'this Idempotency-Key came with another request before: use a new key for a new request',
        );
      }
      if (first && first.status !== null) return { status: first.status, body: first.body, isRepeated: true };
      if (first) await pause(lookAgainMs, news.signal);
    } finally {
      stop();
    }
  }
}

function claim(
  context: Context,
  place: store.AnswerPlace,
  id: string,
  fingerprint: string,
): Promise<boolean> {
  const now = context.clock.now();
  const forgottenBefore = new Date(now.getTime() - answersRememberedSeconds * 1000);
  return store.claimAnswer(context.db, place, {
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
  place: store.AnswerPlace,
  claimId: string,
  topic: string,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const renewal = setInterval(
    () => {
      const until = claimEnd(context.clock.now());
      store
        .extendClaim(context.db, place, claimId, until)
        .catch((error: unknown) => context.log.warn(`a claim was not extended: ${messageOf(error)}`));
    },
    (claimSeconds * 1000) / 3,
  );
  const settle = async (answer: Answer | null) => {
    if (answer && isLasting(answer.status)) await store.keepAnswer(context.db, place, claimId, answer);
    else await store.dropClaim(context.db, place, claimId);
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

/** Forgets answers that need not be repeated any more. */
export function sweepFirstAnswers(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - answersRememberedSeconds * 1000);
  return store.deleteAnswers(context.db, before);
}
