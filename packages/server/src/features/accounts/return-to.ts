const here = 'http://here.invalid';

/**
 * Where to go after log-in: `wanted` when it is a path of this service that a browser may be sent to, else `/`. A path
 * begins with one slash; anything that a browser could read as another host does not count.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html
 */
export function safeReturnTo(wanted: string | undefined): string {
  if (!wanted || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\')) return '/';
  const url = new URL(wanted, here);
  if (url.origin !== here || url.pathname.startsWith('//')) return '/';
  if (/^\/(api|socket|live|users\/(log-in|log_in|log-out|register))(\/|$)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

/** `page`, leading on to `path`. */
function leadingTo(path: string, page: string): string {
  const target = safeReturnTo(path);
  return target === '/' ? page : `${page}?return_to=${encodeURIComponent(target)}`;
}

/** The log-in page that leads back to `path`. */
export function logInPath(path: string): string {
  return leadingTo(path, '/users/log-in');
}

/** The registration page that leads back to `path`. */
export function registerPath(path: string): string {
  return leadingTo(path, '/users/register');
}
