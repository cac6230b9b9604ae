/** Files of one build of the page. */
export interface PageFiles {
  /** Hash over the names and contents of all files. */
  readonly version: string;
  /** Paths of the files, such as `/assets/start-AbCd.js`. */
  readonly paths: readonly string[];
}

const prefix = 'stem-studio-page ';

/** Path of the page without anything of a user, which opens while the service is not reachable. */
export const offlinePage = '/offline.html';

/** Returns the name of the cache of a build. */
export function cacheName({ version }: Pick<PageFiles, 'version'>): string {
  return prefix + version;
}

/**
 * Returns the caches that are not needed any more: all but that of the present build and the one before, whose page may
 * still be open and need its files.
 *
 * @param names of all caches of the origin, in the order of their creation
 */
export function outdatedCaches(names: readonly string[], present: string): string[] {
  const others = names.filter((name) => name.startsWith(prefix) && name !== present);
  return others.slice(0, -1);
}

/**
 * What the service worker does with a request: `page` asks the service first and opens the copy if there is none;
 * `asset` takes the copy first, because its name contains its hash; `file` asks the service first; everything else,
 * such as replies of the API and the files of users, passes by.
 */
export type Handling = 'page' | 'asset' | 'file' | 'pass';

/** Decides how a request is handled. */
export function handlingOf(
  request: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
  { paths }: Pick<PageFiles, 'paths'>,
): Handling {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== origin) return 'pass';
  if (request.mode === 'navigate') return url.pathname === '/' ? 'page' : 'pass';
  if (url.pathname.startsWith('/assets/')) return 'asset';
  return url.pathname !== offlinePage && paths.includes(url.pathname) ? 'file' : 'pass';
}

/** Whether a reply means that there is no service now: from a proxy, or from a service that starts or stops. */
export function isUnavailable({ status }: Pick<Response, 'status'>): boolean {
  return [502, 503, 504].includes(status);
}
