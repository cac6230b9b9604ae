import { type CallInput, type EndpointSpec, pathOf, type ReplyOf } from '@stem-studio/contract/endpoint';
import type { Studio } from './studio.ts';

/** A client that uses the service as a page does, with a login cookie and a CSRF token, but without a browser. */
export interface Visitor {
  /** Calls an endpoint of the contract; throws with the reply if it fails. */
  call<T extends EndpointSpec>(spec: T, input?: Partial<CallInput<T>>): Promise<ReplyOf<T>>;
  /** Uploads a file to an endpoint. */
  send<T extends EndpointSpec>(spec: T, name: string, bytes: Uint8Array): Promise<ReplyOf<T>>;
  /** Returns the bytes at a path such as `/files/…`. */
  bytes(path: string): Promise<Buffer>;
}

function tokenIn(page: string, pattern: RegExp): string {
  const token = pattern.exec(page)?.[1];
  if (!token) throw new Error(`the page has no CSRF token:\n${page.slice(0, 500)}`);
  return token;
}

/** Registers a new user and returns a logged-in client. */
export async function registerVisitor(studio: Studio, email = 'visitor@example.org'): Promise<Visitor> {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const reply = await fetch(studio.url + path, { ...init, headers, redirect: 'manual' });
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    return reply;
  };

  const form = await (await ask('/users/register')).text();
  const fields = { 'user[email]': email, 'user[password]': 'three wet umbrellas' };
  const csrf = tokenIn(form, /name="_csrf_token" value="([^"]+)"/);
  const registered = await ask('/users/register', {
    method: 'POST',
    body: new URLSearchParams({ ...fields, _csrf_token: csrf }),
  });
  if (registered.status !== 303) throw new Error(`registration answered ${registered.status}`);
  const token = tokenIn(await (await ask('/')).text(), /<meta name="csrf-token" content="([^"]+)"/);

  const read = async <T extends EndpointSpec>(spec: T, reply: Response): Promise<ReplyOf<T>> => {
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${spec.method} ${spec.path} answered ${reply.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<T>;
  };
  return {
    async call(spec, input = {}) {
      const params = (input.params ?? {}) as Record<string, string>;
      const query = new URLSearchParams((input.query ?? {}) as Record<string, string>).toString();
      const hasBody = input.body !== undefined;
      const reply = await ask(pathOf(spec, params) + (query && `?${query}`), {
        method: spec.method,
        headers: { 'x-csrf-token': token, ...(hasBody && { 'content-type': 'application/json' }) },
        ...(hasBody && { body: JSON.stringify(input.body) }),
      });
      return read(spec, reply);
    },
    async send(spec, name, bytes) {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(bytes)]), name);
      const reply = await ask(pathOf(spec), {
        method: spec.method,
        headers: { 'x-csrf-token': token },
        body,
      });
      return read(spec, reply);
    },
    async bytes(path) {
      const reply = await ask(path);
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}`);
      return Buffer.from(await reply.arrayBuffer());
    },
  };
}
