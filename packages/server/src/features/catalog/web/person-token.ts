import type { SecretText } from '../../../platform/crypto/secret-text.ts';
import { ServiceError } from '../../../platform/errors.ts';

/**
 * Gives a token of the person who asks the catalog, where they have linked their account there; else null.
 *
 * @param refused a token that the catalog has just refused: another one is wanted
 */
export type PersonToken = (refused: SecretText | null) => Promise<SecretText | null>;

/** `catalog_error` where the catalog forbids what was asked to whoever asked: somebody else may be allowed it. */
export class CatalogForbiddenError extends ServiceError {
  constructor(message: string) {
    super('catalog_error', message);
  }
}
