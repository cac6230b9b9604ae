import { failure, messageOf } from '../../../platform/errors.ts';
import { type CatalogLink, type CatalogNames, parseCatalogUrl } from '../parse-catalog-url.ts';

const timeoutMs = 10_000;

/** An item that a link points to. */
export type CatalogItemLink = Extract<CatalogLink, { kind: 'item' }>;

/**
 * Resolves a short link with one request to one of the catalog's own hosts, without cookies. The redirect's target is
 * parsed but not requested.
 *
 * @throws `catalog_error` when the host does not reply with a redirect
 * @throws `invalid_url` when the target cannot be imported
 */
export async function resolveShortLink(
  url: string,
  names: CatalogNames,
  request: (address: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<CatalogItemLink> {
  const address = new URL(url);
  address.protocol = 'https:';
  const host = address.hostname.toLowerCase().replace(/^www\./, '');
  if (![...names.hosts, ...names.shortHosts].includes(host) || address.port !== '')
    throw failure('invalid_url', 'a short link must be one of the web catalog');
  let reply: Response;
  try {
    reply = await request(address.href, {
      redirect: 'manual',
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await reply.body?.cancel();
  } catch (error) {
    throw failure('catalog_error', `the short link cannot be resolved: ${messageOf(error)}`);
  }
  const location = reply.headers.get('location');
  if (reply.status < 300 || reply.status >= 400 || location === null) {
    throw failure(
      'catalog_error',
      `the web catalog did not say where the short link leads (it answered ${reply.status}): open it in a browser and paste the long link`,
    );
  }
  const link = URL.canParse(location, address.href)
    ? parseCatalogUrl(new URL(location, address).href, names)
    : null;
  if (link?.kind !== 'item' || link.catalog !== 'web')
    throw failure('invalid_url', 'the short link leads to nothing that can be imported');
  return link;
}
