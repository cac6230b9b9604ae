import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderCover } from '@stem-studio/dsp/synth/cover';
import { demoSongs } from '@stem-studio/dsp/synth/demo-songs';
import {
  type Bearer,
  createStandInAuthorization,
  type StandInTokens,
  standInPeople,
} from './catalog-authorization.ts';
import {
  albumHead,
  artistOf,
  entriesOf,
  numberOf,
  standInAlbumTracks,
  standInPlaylists,
  standInTracks,
  titleOf,
  trackObject,
} from './catalog-data.ts';

/** A reply sent instead of the correct one. */
export interface Mishap {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Applies only to paths that contain this. */
  readonly path?: string;
  /** Sends no reply until the client gives up. */
  readonly hangs?: boolean;
}

/** A loopback server with the web catalog's protocol. */
export interface StandInCatalog {
  /** `http://127.0.0.1:<port>`; the API is below `/v1`. */
  readonly origin: string;
  readonly apiUrl: string;
  readonly tokenUrl: string;
  readonly authorizeUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Paths with their queries, in the order of the requests. */
  readonly requests: string[];
  /** Replies to the next requests, one each. */
  readonly mishaps: Mishap[];
  /** Tokens issued to people who log in. */
  readonly tokens: StandInTokens;
  /** Expires all tokens issued to the application so far. */
  expireTokens(): void;
  close(): Promise<void>;
}

/** Delay of each page of the slow playlist, in ms. */
const slowMs = 1500;

/**
 * Starts the stand-in.
 *
 * @param port port, or 0 for a free one
 */
export async function startStandInCatalog(port = 0): Promise<StandInCatalog> {
  const clientId = 'stand-in-client';
  const clientSecret = 'stand-in-secret';
  const requests: string[] = [];
  const mishaps: Mishap[] = [];
  const covers = new Map<string, Uint8Array>();
  const authorization = createStandInAuthorization({ clientId, clientSecret });
  let origin = '';

  const give = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, message: string) =>
    give(response, status, { error: { status, message } });

  function page(url: URL, items: readonly unknown[], most: number) {
    const limit = Math.min(most, Number(url.searchParams.get('limit') ?? 20));
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const next = new URL(url);
    next.searchParams.set('offset', String(offset + limit));
    next.searchParams.set('limit', String(limit));
    return {
      href: url.href,
      items: items.slice(offset, offset + limit),
      limit,
      offset,
      total: items.length,
      next: offset + limit < items.length ? next.href : null,
    };
  }

  async function givePlaylist(
    url: URL,
    number: number,
    { isItems, bearer }: { isItems: boolean; bearer: Bearer },
    response: ServerResponse,
  ) {
    const entries = entriesOf(number, origin);
    const kind = Object.entries(standInPlaylists).find(([, value]) => value === number)?.[0];
    const isOwner = bearer !== 'application' && bearer.id === standInPeople.kestrel.id;
    if (!entries || (kind === 'private' && !isOwner)) return refuse(response, 404, 'Resource not found');
    if (kind === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end('<!doctype html><title>Just a moment…</title>');
    }
    if (!isItems)
      return give(response, 200, { id: url.pathname.split('/').at(-1), name: `Playlist ${kind}` });
    if (kind === 'forbidden' && !isOwner) return refuse(response, 403, 'Forbidden');
    if (kind === 'slow') await sleep(slowMs);
    const answer = page(url, entries, 50);
    if (kind === 'circle' && answer.next === null)
      answer.next = `${url.origin}${url.pathname}?offset=0&limit=50`;
    if (kind === 'elsewhere' && answer.next) answer.next = 'http://169.254.169.254/latest/meta-data';
    if (kind === 'short') Object.assign(answer, { total: 300 });
    if (kind === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' });
      response.write('{"items": [');
      return void response.destroy();
    }
    return give(response, 200, answer);
  }

  function giveSearch(url: URL, response: ServerResponse) {
    const terms = (url.searchParams.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    if (offset > 1000) return refuse(response, 400, 'Invalid offset');
    const hits = Array.from({ length: standInTracks }, (_, number) => number).filter((number) => {
      const text = `${titleOf(number)} ${artistOf(number)}`.toLowerCase();
      return terms.every((word) => text.includes(word));
    });
    const tracks = page(url, hits, 10);
    return give(response, 200, {
      tracks: { ...tracks, items: tracks.items.map((number) => trackObject(Number(number), origin)) },
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', origin);
    requests.push(url.pathname + url.search);
    const mishap = mishaps.findIndex(({ path }) => path === undefined || url.pathname.includes(path));
    if (mishap >= 0) {
      const [wrong] = mishaps.splice(mishap, 1);
      if (wrong?.hangs) return;
      response.writeHead(wrong?.status ?? 500, wrong?.headers);
      return response.end(wrong?.body ?? '');
    }
    if (await authorization.handle(request, response, url)) return;
    if (url.pathname.startsWith('/covers/')) {
      const song = demoSongs[Number.parseInt(url.pathname.slice(8), 10) % demoSongs.length];
      if (!song) return refuse(response, 404, 'no cover');
      covers.set(song.slug, covers.get(song.slug) ?? renderCover(song.cover));
      response.writeHead(200, { 'content-type': 'image/png' });
      return response.end(covers.get(song.slug));
    }
    if (url.pathname.startsWith('/short/')) {
      response.writeHead(307, { location: `https://open.spotify.com${url.pathname.slice(6)}?si=x` });
      return response.end();
    }
    const bearer = authorization.bearerOf(request.headers.authorization);
    if (!bearer) return refuse(response, 401, 'The access token expired');
    const [, version, kind = '', id = '', part] = url.pathname.split('/');
    if (version !== 'v1') return refuse(response, 404, 'Service not found');
    if (kind === 'me')
      return bearer === 'application'
        ? refuse(response, 401, 'Valid user authentication required')
        : give(response, 200, { ...bearer, type: 'user' });
    if (kind === 'search') return giveSearch(url, response);
    if (!/^[0-9A-Za-z]{22}$/.test(id)) return refuse(response, 400, 'Invalid base62 id');
    if (kind === 'tracks') {
      const number = numberOf('track', id);
      if (number === null || number >= standInTracks) return refuse(response, 404, 'Resource not found');
      return give(response, 200, trackObject(number, origin));
    }
    if (kind === 'albums') {
      const number = numberOf('album', id);
      const from = (number ?? 0) * standInAlbumTracks;
      if (number === null || from >= standInTracks) return refuse(response, 404, 'Resource not found');
      if (part !== 'tracks') return give(response, 200, albumHead(number, origin));
      const tracks = Array.from({ length: standInAlbumTracks }, (_, at) =>
        trackObject(from + at, origin, true),
      );
      return give(response, 200, page(url, tracks, 50));
    }
    const number = kind === 'playlists' ? numberOf('playlist', id) : null;
    if (number === null) return refuse(response, 404, 'Resource not found');
    return givePlaylist(url, number, { isItems: part === 'items', bearer }, response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    apiUrl: `${origin}/v1`,
    tokenUrl: `${origin}/api/token`,
    authorizeUrl: `${origin}/authorize`,
    tokens: authorization.tokens,
    clientId,
    clientSecret,
    requests,
    mishaps,
    expireTokens: () => authorization.expireApplicationTokens(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
