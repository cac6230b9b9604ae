import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/**
 * Parameters of argon2id: 19 MiB, two passes, one lane, the minimum recommended by OWASP. `2` is
 * `Algorithm.Argon2id`, a const enum that type stripping cannot resolve.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Normalises a password, so that different keyboards produce the same text.
 *
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver (Unicode is normalised before hashing)
 */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

/** Returns the argon2id hash of a password, in PHC form with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalised(password), parameters);
}

let dummy: Promise<string> | undefined;

/**
 * Tells whether `password` matches `storedHash`. Without a hash (unknown email address) the same work is done against
 * a dummy hash, so that the duration reveals nothing, and the result is false.
 */
export async function isPassword(storedHash: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword(randomBytes(32).toString('hex'));
  const nobodysHash = await dummy;
  const right = await verify(storedHash ?? nobodysHash, normalised(password));
  return storedHash !== null && right;
}
