import { Scope } from '@stem-studio/audio/base/scope';
import { samplerBounds, samplerPad } from '@stem-studio/contract/resources/sampler-pad';
import { z } from 'zod';

const DATABASE = 'stem-studio.sampler';
const PADS = 'pads';

const samples = z.custom<Float32Array<ArrayBuffer>>(
  (value) => value instanceof Float32Array && value.length > 0,
  'must be samples',
);

/** Samples of a pad. */
const storedSample = z
  .strictObject({
    sample_rate_hz: z.int().min(8_000).max(192_000),
    left: samples,
    /** Null where the sample is mono. */
    right: samples.nullable(),
  })
  .refine(({ left, right }) => right === null || left.length === right.length, 'must have two equal sides')
  .refine(
    ({ left, sample_rate_hz }) => left.length <= (samplerBounds.seconds + 1) * sample_rate_hz,
    'must not be longer than a sample may be',
  );

/** A pad as it is stored: its settings, and its own sample; null for that of the default bank. */
export const storedPad = z.strictObject({ settings: samplerPad, sample: storedSample.nullable() });
/** A pad as it is stored. */
export type StoredPad = z.infer<typeof storedPad>;

/** Storage of the pads of users. */
export interface SampleStore {
  /** Returns the stored pads of a user by their index; those that cannot be read are left out. */
  read(userId: number): Promise<ReadonlyMap<number, StoredPad>>;
  /** Stores a pad; null deletes it. Rejects where the browser has no space or no storage. */
  write(userId: number, pad: number, stored: StoredPad | null): Promise<void>;
}

/** Storage in the browser. Every user of the browser has pads of their own. */
export const browserSamples: SampleStore = {
  async read(userId) {
    const database = await open();
    try {
      const store = database.transaction(PADS).objectStore(PADS);
      const range = IDBKeyRange.bound([userId, 0], [userId, Number.MAX_SAFE_INTEGER]);
      const [keys, values] = await Promise.all([done(store.getAllKeys(range)), done(store.getAll(range))]);
      const pads = new Map<number, StoredPad>();
      for (const [index, key] of keys.entries()) {
        const parsed = storedPad.safeParse(values[index]);
        if (Array.isArray(key) && typeof key[1] === 'number' && parsed.success) pads.set(key[1], parsed.data);
      }
      return pads;
    } finally {
      database.close();
    }
  },
  async write(userId, pad, stored) {
    const database = await open();
    try {
      const transaction = database.transaction(PADS, 'readwrite');
      const store = transaction.objectStore(PADS);
      if (stored) store.put(stored, [userId, pad]);
      else store.delete([userId, pad]);
      await committed(transaction);
    } finally {
      database.close();
    }
    // A browser that is short of space deletes the storage of pages that did not ask to keep it.
    if (stored?.sample) await navigator.storage?.persist?.().catch(() => false);
  },
};

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  const scope = new Scope();
  scope.listen(request, 'upgradeneeded', () => request.result.createObjectStore(PADS));
  try {
    return await done(request);
  } finally {
    scope.dispose();
  }
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return settled(
    request,
    ['success'],
    ['error', 'blocked'],
    () => request.result,
    () => request.error,
  );
}

function committed(transaction: IDBTransaction): Promise<void> {
  return settled(
    transaction,
    ['complete'],
    ['abort', 'error'],
    () => undefined,
    () => transaction.error,
  );
}

/** Resolves at the first event of `good`, and rejects at the first one of `bad`. */
function settled<Result>(
  target: EventTarget,
  good: readonly string[],
  bad: readonly string[],
  resultOf: () => Result,
  errorOf: () => DOMException | null,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const scope = new Scope();
    for (const type of good)
      scope.listen(target, type, () => {
        scope.dispose();
        resolve(resultOf());
      });
    for (const type of bad)
      scope.listen(target, type, () => {
        scope.dispose();
        reject(storageError(errorOf()));
      });
  });
}

function storageError(cause: DOMException | null): Error {
  const isFull = cause?.name === 'QuotaExceededError';
  return new Error(isFull ? 'the browser has no space left' : 'the browser does not store it', { cause });
}
