import type { SecretText } from '../../../platform/crypto/secret-text.ts';
import { ServiceError } from '../../../platform/errors.ts';

/**
 * Returns a catalog token of the requesting user who has linked their account; otherwise null.
 *
 * @param refused token that the catalog has just rejected, to obtain another one
 */
export type PersonToken = (refused: SecretText | null) => Promise<SecretText | null>;

/** `catalog_error` for a request that the catalog forbids with these credentials; another user may be allowed. */
export class CatalogForbiddenError extends ServiceError {
  constructor(message: string) {
    super('catalog_error', message);
  }
}
