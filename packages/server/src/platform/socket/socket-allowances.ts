import { socketLimits } from '@stem-studio/contract/limits';
import type { Context } from '../context.ts';
import { TokenBucket } from '../token-bucket.ts';

/** Minimum interval between log entries about rejections of one user, in ms. */
const logEveryMs = 60_000;

/** Usage of one user or one address. */
interface Used {
  readonly upgrades: TokenBucket;
  readonly joins: TokenBucket;
  readonly messages: TokenBucket;
  sockets: number;
  /** Number of upgrades in progress. */
  pending: number;
  /** Number of rejections since the last log entry. */
  refused: number;
  loggedMs: number;
}

/** Limits over all sockets of a user or an address in one process. */
export interface SocketAllowances {
  /**
   * Counts an upgrade request before authentication, or returns after how many seconds the address may retry. `end`
   * must be called after the decision: if a user was found, whose own limit applies, the address is not charged.
   */
  beginUpgrade(
    address: string,
  ): { readonly end: (isKnown: boolean) => void } | { readonly retryAfterSeconds: number };
  /** Returns the limits of a user's sockets. */
  ofUser(userId: number, address: string): UserAllowance;
  /** Logs rejections and removes unused entries. */
  tidy(): void;
}

/** Limits over all sockets of a user. */
export interface UserAllowance {
  /** Counts an upgrade. Returns the reason of a rejection, or null. */
  takeUpgrade(): string | null;
  opened(): void;
  closed(): void;
  /** Counts a message. Returns false if it exceeds the limit. */
  takeMessage(): boolean;
  /** Counts a join. Returns the reason of a rejection, or null. */
  takeJoin(): string | null;
  /** Counts a rejection for the log. */
  noteRefusal(): void;
}

const { user, address: perAddress } = socketLimits.rates;

/** Creates unused limits. */
export function createSocketAllowances(context: Context, perUser: number): SocketAllowances {
  const { clock } = context;
  const known = new Map<string, Used>();

  const usedBy = (key: string): Used => {
    let used = known.get(key);
    if (!used) {
      const rates = key.startsWith('user:') ? user : perAddress;
      used = {
        upgrades: new TokenBucket(rates.upgrades, clock),
        joins: new TokenBucket(rates.joins, clock),
        messages: new TokenBucket(user.messages, clock),
        sockets: 0,
        pending: 0,
        refused: 0,
        loggedMs: Number.NEGATIVE_INFINITY,
      };
      known.set(key, used);
    }
    return used;
  };
  const log = (key: string, used: Used) => {
    const nowMs = clock.monotonicMs();
    if (used.refused === 0 || nowMs - used.loggedMs < logEveryMs) return;
    const whose = key.startsWith('user:') ? { user_id: Number(key.slice(5)) } : { address: key.slice(8) };
    context.log.warn(
      { ...whose, refused: used.refused },
      'sockets were refused joins, messages or upgrades beyond their limits',
    );
    used.refused = 0;
    used.loggedMs = nowMs;
  };
  const note = (key: string) => {
    const used = usedBy(key);
    used.refused += 1;
    log(key, used);
  };

  return {
    beginUpgrade: (address) => {
      const key = `address:${address}`;
      const used = usedBy(key);
      if (used.pending >= socketLimits.pendingPerAddress || !used.upgrades.take()) {
        note(key);
        return { retryAfterSeconds: used.upgrades.secondsLeft };
      }
      used.pending += 1;
      return {
        end: (isKnown) => {
          used.pending -= 1;
          if (isKnown) used.upgrades.giveBack();
        },
      };
    },
    ofUser: (userId, address) => {
      const key = `user:${userId}`;
      return {
        takeUpgrade: () => {
          const used = usedBy(key);
          if (used.sockets >= perUser) {
            note(key);
            return `a user may have ${perUser} sockets open at once: close one, or try again later`;
          }
          if (used.upgrades.take()) return null;
          note(key);
          const { burst, perSecond } = user.upgrades;
          return `a user may open ${burst} sockets at once and ${perSecond} a second after that: try again later`;
        },
        opened: () => void (usedBy(key).sockets += 1),
        closed: () => void (usedBy(key).sockets -= 1),
        takeMessage: () => {
          if (usedBy(key).messages.take()) return true;
          note(key);
          return false;
        },
        takeJoin: () => {
          const { joins } = usedBy(key);
          if (!joins.take()) {
            note(key);
            return refuseJoin(user.joins, 'a user');
          }
          if (usedBy(`address:${address}`).joins.take()) return null;
          joins.giveBack();
          note(key);
          return refuseJoin(perAddress.joins, 'an address');
        },
        noteRefusal: () => note(key),
      };
    },
    tidy: () => {
      for (const [key, used] of known) {
        log(key, used);
        const isIdle = used.sockets === 0 && used.pending === 0 && used.refused === 0;
        if (isIdle && used.upgrades.isFull && used.joins.isFull && used.messages.isFull) known.delete(key);
      }
    },
  };
}

function refuseJoin({ burst, perSecond }: { burst: number; perSecond: number }, whose: string): string {
  return `at most ${burst} joins of ${whose} at once and ${perSecond} a second after that: try again later`;
}
