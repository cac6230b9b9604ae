const here = 'http://here.invalid';

/**
 * Returns the redirect target after log-in: `wanted` if it is a path of this service for browsers, otherwise `/`. A
 * path begins with one slash; anything that a browser could interpret as another host is rejected.
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

/** Returns the address of `page` with `path` as its redirect target. */
function leadingTo(path: string, page: string): string {
  const target = safeReturnTo(path);
  return target === '/' ? page : `${page}?return_to=${encodeURIComponent(target)}`;
}

/** Returns the log-in page that redirects to `path`. */
export function logInPath(path: string): string {
  return leadingTo(path, '/users/log-in');
}

/** Returns the registration page that redirects to `path`. */
export function registerPath(path: string): string {
  return leadingTo(path, '/users/register');
}
