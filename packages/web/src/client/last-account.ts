const key = 'stem-studio-account';

/**
 * Notes which user is logged in with this browser, so that a page without the service can offer their recordings; null
 * after a log-out. The log-in page removes it too.
 */
export function noteAccount(userId: number | null): void {
  try {
    if (userId === null) localStorage.removeItem(key);
    else localStorage.setItem(key, String(userId));
  } catch {
    // Storage is blocked: recordings are offered only with the service.
  }
}

/** Returns the user who is logged in with this browser, as far as it is known; else null. */
export function lastAccount(): number | null {
  try {
    const userId = Number(localStorage.getItem(key) ?? Number.NaN);
    return Number.isInteger(userId) ? userId : null;
  } catch {
    return null;
  }
}
