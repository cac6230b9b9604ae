import {
  cacheName,
  handlingOf,
  isUnavailable,
  offlinePage,
  outdatedCaches,
  type PageFiles,
} from './page-files.ts';

/** Event whose work the browser waits for. */
interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends LifecycleEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of a service worker's global scope that is used here. */
interface ServiceWorkerScope {
  readonly caches: CacheStorage;
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  oninstall: ((event: LifecycleEvent) => void) | null;
  onactivate: ((event: LifecycleEvent) => void) | null;
  onfetch: ((event: FetchEvent) => void) | null;
}

// The build replaces the name by the list of its files.
declare const STEM_STUDIO_PAGE_FILES: PageFiles;

const files = STEM_STUDIO_PAGE_FILES;
const scope = globalThis as unknown as ServiceWorkerScope;
const present = cacheName(files);

/** Stores all files of this build, or none. */
async function store(): Promise<void> {
  const cache = await scope.caches.open(present);
  await cache.addAll(
    files.paths.map(
      // Files without a hash in their names must not come from the browser's own cache.
      (path) => new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'reload' }),
    ),
  );
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  for (const name of outdatedCaches(await scope.caches.keys(), present)) await scope.caches.delete(name);
  await scope.clients.claim();
}

/** Returns a stored file of this build, else of the one before. */
async function stored(path: string): Promise<Response | undefined> {
  return (await (await scope.caches.open(present)).match(path)) ?? (await scope.caches.match(path));
}

/** Returns the reply of the service, or the copy if there is no service. */
async function askFirst(request: Request, path: string): Promise<Response> {
  const reply = await fetch(request).catch(() => null);
  if (reply && !isUnavailable(reply)) return reply;
  return (await stored(path)) ?? reply ?? Response.error();
}

async function takeFirst(request: Request): Promise<Response> {
  return (await stored(new URL(request.url).pathname)) ?? fetch(request);
}

/* oxlint-disable unicorn/prefer-add-event-listener -- the listeners live as long as the worker */
scope.oninstall = (event) => event.waitUntil(store());
scope.onactivate = (event) => event.waitUntil(activate());
scope.onfetch = (event) => {
  const { request } = event;
  switch (handlingOf(request, scope.location.origin, files)) {
    case 'page':
      return event.respondWith(askFirst(request, offlinePage));
    case 'file':
      return event.respondWith(askFirst(request, new URL(request.url).pathname));
    case 'asset':
      return event.respondWith(takeFirst(request));
    case 'pass':
      return undefined;
  }
};
