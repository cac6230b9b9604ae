import type { CatalogType } from '@stem-studio/contract/resources/catalog';

/** Hosts and scheme of web catalog links in this installation. */
export interface CatalogNames {
  /** Hosts of full links, such as `open.catalog.example`. */
  readonly hosts: readonly string[];
  /** Hosts on which every path is an opaque short link. */
  readonly shortHosts: readonly string[];
  /** Scheme of the URI form of the web catalog. */
  readonly scheme: string;
}

/** Target of a link. A short link must be resolved first; only the web catalog can do that. */
export type CatalogLink =
  | {
      readonly kind: 'item';
      readonly catalog: 'local' | 'web';
      readonly type: CatalogType;
      readonly id: string;
    }
  | { readonly kind: 'short'; readonly url: string };

/** Scheme of the local catalogs: the folder and the demo album. */
export const localScheme = 'catalog';

const types: readonly string[] = ['track', 'album', 'playlist'];
const webId = /^[0-9A-Za-z]{22}$/;
const localId = /^[0-9A-Za-z_-]{1,64}$/;
const locale = /^intl-[a-z]{2,3}(-[a-z]{2,4})?$/i;

function item(
  catalog: 'local' | 'web',
  type: string | undefined,
  id: string | undefined,
): CatalogLink | null {
  if (type === undefined || id === undefined || !types.includes(type)) return null;
  if (!(catalog === 'web' ? webId : localId).test(id)) return null;
  return { kind: 'item', catalog, type: type as CatalogType, id };
}

/** Returns whether an id has the form of a web catalog id. */
export function isWebId(id: string): boolean {
  return webId.test(id);
}

/** Parses `<scheme>:<type>:<id>`, and the older `<scheme>:user:<name>:playlist:<id>`. */
function parseUri(text: string, names: CatalogNames): CatalogLink | null {
  const [scheme = '', ...rest] = text.split(':');
  const catalog = scheme.toLowerCase() === localScheme ? 'local' : 'web';
  if (catalog === 'web' && scheme.toLowerCase() !== names.scheme.toLowerCase()) return null;
  if (rest.length === 4 && rest[0] === 'user' && rest[2] === 'playlist')
    return item(catalog, 'playlist', rest[3]);
  return rest.length === 2 ? item(catalog, rest[0], rest[1]) : null;
}

/** Parses path segments of the form `[intl-xx] [embed] [user/<name>] type / id`. */
function parsePath(segments: readonly string[]): CatalogLink | null {
  let rest = segments;
  if (locale.test(rest[0] ?? '')) rest = rest.slice(1);
  if (rest[0] === 'embed') rest = rest.slice(1);
  if (rest[0] === 'user' && rest.length === 4 && rest[2] === 'playlist') rest = rest.slice(2);
  return rest.length === 2 ? item('web', rest[0], rest[1]) : null;
}

/**
 * Parses a catalog link: an item of a catalog, a short link, or null for any other text.
 *
 * Supported are full links (`https://host/track/<id>`, with a locale segment, under `/embed/`, with a query or a
 * fragment, without a scheme, under `/user/<name>/playlist/`), short links, and the URI form `<scheme>:<type>:<id>`.
 * Web ids are 22 base62 characters; ids of the local catalog are 1 to 64 letters, digits, `_` or `-`. A link with a
 * user name, a password or a port is rejected, since catalogs give no such links.
 *
 * @spec Catalog links
 */
export function parseCatalogUrl(text: string, names: CatalogNames): CatalogLink | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 2048 || /[\s\p{Cc}]/u.test(trimmed)) return null;
  if (!trimmed.includes('/')) return parseUri(trimmed, names);

  const absolute = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(absolute)) return null;
  const url = new URL(absolute);
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  const host = url.hostname.toLowerCase().replace(/^www\./, '');
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const code = /^[A-Za-z0-9_-]{1,64}$/;

  if (names.shortHosts.includes(host)) {
    return segments.length === 1 && code.test(segments[0] ?? '') ? { kind: 'short', url: url.href } : null;
  }
  if (!names.hosts.includes(host)) return null;
  if (segments.length === 2 && segments[0] === 's' && code.test(segments[1] ?? '')) {
    return { kind: 'short', url: url.href };
  }
  return parsePath(segments);
}
