import type { Config } from '../../../platform/config.ts';

/** Whether people can log in by the catalog: it answers only applications that it knows. */
export function hasCatalogLogin({ webCatalog: { clientId, clientSecret } }: Config): boolean {
  return clientId !== null && clientSecret !== null;
}

/**
 * The origin that the catalog sends people back to: the public address, else loopback by its number, since the catalog
 * takes no other http address and not the name `localhost`.
 */
export function catalogReturnOrigin({ publicUrl, port }: Config): string {
  return new URL(publicUrl ?? `http://127.0.0.1:${port}`).origin;
}

/** The address that has to be written, letter by letter, into the catalog's developer page. */
export function catalogRedirectUri(config: Config): string {
  return `${config.publicUrl ?? catalogReturnOrigin(config)}/auth/catalog/callback`;
}
