import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/**
 * argon2id with 19 MiB, two passes, one lane: what OWASP recommends at least. `2` is `Algorithm.Argon2id`, a const
 * enum that a stripped type cannot name.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * One spelling for what looks the same on two keyboards.
 *
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver (Unicode is normalised before hashing)
 */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

/** The argon2id hash of a password, in PHC form with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalised(password), parameters);
}

let dummy: Promise<string> | undefined;

/**
 * Whether `password` is the one behind `storedHash`. Without a hash (nobody has that email address) the same work is
 * done against a hash of nothing anybody knows, so that the time taken tells nothing, and the answer is no.
 */
export async function isPassword(storedHash: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword(randomBytes(32).toString('hex'));
  const nobodysHash = await dummy;
  const right = await verify(storedHash ?? nobodysHash, normalised(password));
  return storedHash !== null && right;
}
