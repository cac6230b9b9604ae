import type { Scope } from '@stem-studio/audio/base/scope';
import { createStore } from 'zustand/vanilla';
import { pageMeta } from './page-meta.ts';
import { onServiceBack } from './service-reach.ts';

/** Path of the page of the present build without anything of a user. */
const offlinePath = '/offline.html';

/** Whether the service has a page of another build than this one. */
export const pageVersion = createStore<{ readonly isOutdated: boolean }>(() => ({ isOutdated: false }));

/** Whether this page was opened from the copy in this browser, because the service was not reachable. */
export function isOfflineCopy(): boolean {
  return pageMeta('page-copy') === 'offline';
}

/**
 * Lets this browser keep a copy of the page for times without the service, and notices updates of the page, until
 * `scope` ends. Only a page that the service has rendered is kept; plain http has no service workers.
 */
export function keepPageCopy(scope: Scope): void {
  if (pageMeta('csrf-token') === '' || isOfflineCopy()) return;
  onServiceBack(scope, () => void checkPageVersion());
  // Undefined on plain http.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (!workers) return;
  const register = async () => {
    try {
      await workers.register('/service-worker.js');
      onServiceBack(scope, () => void updateCopy(workers));
    } catch {
      // Forbidden by the browser's settings, or the service is gone: the page works without a copy.
    }
  };
  // The page comes first.
  scope.after(REGISTER_MS, () => void register());
}

/** Looks for a newer build, so that the copy is replaced soon after an update of the service. */
async function updateCopy(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration().catch(() => undefined);
  await registration?.update().catch(() => undefined);
}

/** Time after the start of the page before its copy is made, in ms. */
const REGISTER_MS = 2000;

/** Compares the build of this page with that of the service. */
async function checkPageVersion(): Promise<void> {
  try {
    const reply = await fetch(offlinePath, { cache: 'no-store' });
    if (!reply.ok) return;
    const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const [theirs, ours] = [scriptsOf(fresh), scriptsOf(document)];
    pageVersion.setState({ isOutdated: theirs !== '' && theirs !== ours });
  } catch {
    // The service is gone again; the next return is compared.
  }
}

/** Addresses of the scripts of a page, which contain hashes. */
function scriptsOf(page: Document): string {
  const scripts = page.querySelectorAll('script[type="module"][src]');
  return [...scripts].map((script) => script.getAttribute('src')).join();
}

/** Replaces an offline copy by the page of the service as soon as it answers, until `scope` ends. */
export function leaveOfflineCopy(scope: Scope): void {
  if (!isOfflineCopy()) return;
  onServiceBack(scope, () => {
    // The service may answer without having a page, and then the copy would open again.
    void fetch('/', { headers: { accept: 'text/html' }, redirect: 'manual' }).then(
      ({ ok, type }) => {
        if (ok || type === 'opaqueredirect') location.reload();
      },
      () => undefined,
    );
  });
}
