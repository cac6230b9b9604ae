/**
 * Reason why the catalog did not log somebody in, with a message for the user. `denied`: the user declined. `void`:
 * the grant is no longer valid (an old code, a revoked permission). `refused`: the catalog rejects this application
 * or this user. `away`: the catalog is unreachable or its reply is unusable at the moment. Contains nothing that the
 * catalog sent.
 */
export class CatalogLoginError extends Error {
  override readonly name = 'CatalogLoginError';
  readonly reason: 'denied' | 'void' | 'refused' | 'away';

  constructor(reason: CatalogLoginError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
