import type { Config } from '../../../platform/config.ts';

/** Tells whether log-in by the catalog is available, which requires registered client credentials. */
export function hasCatalogLogin({ webCatalog: { clientId, clientSecret } }: Config): boolean {
  return clientId !== null && clientSecret !== null;
}

/**
 * Returns the origin of the redirect URI: the public address, otherwise the loopback IP address. The catalog accepts
 * no other http address and not the name `localhost`.
 */
export function catalogReturnOrigin({ publicUrl, port }: Config): string {
  return new URL(publicUrl ?? `http://127.0.0.1:${port}`).origin;
}

/** Returns the redirect URI that must be entered, character by character, in the catalog's developer page. */
export function catalogRedirectUri(config: Config): string {
  return `${config.publicUrl ?? catalogReturnOrigin(config)}/auth/catalog/callback`;
}
