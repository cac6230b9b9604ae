import { clearCookie, readCookie, setFlashCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';

/** Messages about the previous action. The cookie holds only the key, so that a message cannot be forged. */
const sentences = {
  'logged-out': 'You are logged out.',
  'logged-out-everywhere': 'You are logged out, here and in every other browser.',
  'logged-out-keys-revoked':
    'You are logged out, here and in every other browser, and all your API keys are revoked.',
  'account-deleted': 'Your account and everything in it is deleted.',
  'email-changed': 'Your email address is changed.',
  'password-changed': 'Your password is changed. Every other browser is logged out.',
  'catalog-linked': 'Your catalog account is linked.',
  'catalog-unlinked': 'Your catalog account is unlinked, and its tokens are deleted.',
  'catalog-denied': 'You did not allow access at the catalog. Nothing was changed.',
  'cloud-key-saved':
    'Your key of the cloud service is saved. Your cloud separations are paid with it from now on.',
  'cloud-key-unseen':
    'Your key is saved. The cloud service could not be reached to verify it: the first separation will show whether it works.',
  'cloud-key-removed': 'Your key of the cloud service is deleted.',
  'connection-works': 'The connection works.',
  'connection-refused': 'The service refuses the connection. Sign in there again, or save another key.',
  'connection-unreachable': 'The service could not be reached. Try again later.',
  'connection-missing': 'There is no such connection.',
  'key-revoked': 'The API key is revoked. It can no longer be used.',
} as const;

/** Key of a flash message. */
export type Flash = keyof typeof sentences;

/** Sets the message for the next page. */
export function leaveFlash(exchange: Exchange, flash: Flash): void {
  setFlashCookie(exchange, flash);
}

/** Returns the message of the previous action once, otherwise null. */
export function takeFlash(exchange: Exchange): string | null {
  const word = readCookie(exchange.context.config, exchange.request, 'flash')?.value;
  if (word === undefined) return null;
  clearCookie(exchange, 'flash');
  return Object.hasOwn(sentences, word) ? sentences[word as Flash] : null;
}
