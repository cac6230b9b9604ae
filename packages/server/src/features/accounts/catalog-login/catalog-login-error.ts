/**
 * Why the catalog did not let somebody log in, in words for them. `denied`: they said no. `void`: what was sent there
 * holds no longer (an old code, a permission taken back). `refused`: the catalog does not want this studio or this
 * person. `away`: it cannot be reached or understood at the moment. Holds nothing that the catalog sent.
 */
export class CatalogLoginError extends Error {
  override readonly name = 'CatalogLoginError';
  readonly reason: 'denied' | 'void' | 'refused' | 'away';

  constructor(reason: CatalogLoginError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
