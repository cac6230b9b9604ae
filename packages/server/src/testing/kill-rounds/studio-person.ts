import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { type CallInput, type EndpointSpec, pathOf, type ReplyOf } from '@stem-studio/contract/endpoint';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { WebSocket } from 'ws';
import type { Context } from '../../platform/context.ts';
import { logIn } from '../deck-windows.ts';
import type { WriteOutcome } from './promised-values.ts';

/** Longest wait for a reply in ms; only a request that hangs takes longer. */
const longestReplyMs = 30_000;

/** Result of a request. */
export interface Reply<T> {
  /** Status code; 0 without a reply. */
  readonly status: number;
  readonly outcome: WriteOutcome;
  readonly body: T | null;
}

/** A logged-in user who uses the service as a page does. */
export interface StudioPerson {
  readonly id: number;
  readonly email: string;
  call<T extends EndpointSpec>(spec: T, input?: Partial<CallInput<T>>): Promise<Reply<ReplyOf<T>>>;
  /** Uploads a file. `cutAfter` closes the connection after that many bytes of it. */
  upload(name: string, bytes: Uint8Array, cutAfter?: number): Promise<Reply<ReplyOf<typeof uploadFile>>>;
  /** Reads a path, or only its beginning, and returns the status and the number of bytes received. */
  read(path: string, onlyBeginning?: boolean): Promise<{ readonly status: number; readonly bytes: number }>;
  /** Sends a form, as the account pages do. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Reply<null>>;
  /** Joins the deck session of the login, sets the crossfader if given, and returns its value. */
  deck(crossfader?: number): Promise<Reply<number>>;
}

function outcomeOf(status: number): WriteOutcome {
  if (status >= 200 && status < 400) return 'acknowledged';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

const nothing = { status: 0, outcome: 'unknown', body: null } as const;

/**
 * Creates a user with a login and no password.
 *
 * @param address returns the current address of the service
 * @param replyLimitMs longest wait for a reply in ms
 */
export async function createPerson(
  context: Context,
  address: () => string,
  replyLimitMs = longestReplyMs,
): Promise<StudioPerson> {
  const email = `person-${randomUUID()}@example.org`;
  const { id } = await context.db
    .insertInto('users')
    .values({ email, role: 'user', password_hash: null, created_at: context.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { cookie, csrf } = await logIn(context, { id, email });
  const headers = { cookie, 'x-csrf-token': csrf };

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(address() + path, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
      redirect: 'manual',
      signal: AbortSignal.timeout(replyLimitMs),
    });
  const read = async <T>(asked: Promise<Response>): Promise<Reply<T>> => {
    try {
      const reply = await asked;
      const text = await reply.text();
      const isJson = reply.headers.get('content-type')?.includes('json') === true;
      const body = reply.ok && isJson && text !== '' ? (JSON.parse(text) as T) : null;
      return { status: reply.status, outcome: outcomeOf(reply.status), body };
    } catch {
      return nothing;
    }
  };

  return {
    id,
    email,
    call(spec, input = {}) {
      const query = new URLSearchParams((input.query ?? {}) as Record<string, string>).toString();
      const hasBody = input.body !== undefined;
      return read(
        ask(pathOf(spec, input.params as Record<string, string> | undefined) + (query && `?${query}`), {
          method: spec.method,
          ...(hasBody && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(input.body),
          }),
        }),
      );
    },
    async upload(name, bytes, cutAfter) {
      if (cutAfter !== undefined) {
        await cutUpload(address(), headers, name, bytes, cutAfter);
        return nothing;
      }
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(bytes)]), name);
      return read(ask(uploadFile.path, { method: 'POST', body }));
    },
    async read(path, onlyBeginning = false) {
      try {
        const reply = await ask(path);
        let bytes = 0;
        for await (const chunk of reply.body ?? []) {
          bytes += (chunk as Uint8Array).length;
          if (onlyBeginning) break;
        }
        return { status: reply.status, bytes };
      } catch {
        return { status: 0, bytes: 0 };
      }
    },
    submit(path, fields) {
      return read(ask(path, { method: 'POST', body: new URLSearchParams({ ...fields, _csrf_token: csrf }) }));
    },
    deck: (crossfader) => askDeck(address(), { cookie, csrf }, crossfader),
  };
}

/** Sends the beginning of an upload and closes the connection. */
async function cutUpload(
  address: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  bytes: Uint8Array,
  cutAfter: number,
): Promise<void> {
  const boundary = 'the-boundary-of-an-upload-that-is-cut';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  await new Promise<void>((resolve) => {
    const asked = request(address + uploadFile.path, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + bytes.length + boundary.length + 8,
      },
    });
    asked.on('error', () => resolve());
    asked.on('close', () => resolve());
    asked.write(head);
    asked.write(bytes.subarray(0, cutAfter), () => asked.destroy());
  });
}

type DeckFrame = readonly [
  string | null,
  string | null,
  string,
  string,
  {
    readonly status?: string;
    readonly response?: {
      readonly accepted?: boolean;
      readonly session?: { readonly id: string; readonly mixer: { readonly crossfader: number } };
    };
  },
];

async function askDeck(
  address: string,
  { cookie, csrf }: { readonly cookie: string; readonly csrf: string },
  crossfader?: number,
): Promise<Reply<number>> {
  const query = `vsn=2.0.0&_csrf_token=${encodeURIComponent(csrf)}`;
  const client = new WebSocket(`${address.replace('http', 'ws')}/live/websocket?${query}`, {
    headers: { cookie, origin: address },
    handshakeTimeout: longestReplyMs,
  });
  const topic = 'decks:current';
  try {
    return await new Promise((resolve) => {
      client.on('error', () => resolve(nothing));
      client.on('close', () => resolve(nothing));
      client.on('open', () => client.send(JSON.stringify(['1', '1', topic, 'phx_join', {}])));
      client.on('message', (data: Buffer) => {
        const [, ref, , event, payload] = JSON.parse(data.toString()) as DeckFrame;
        if (event !== 'phx_reply') return;
        const isOk = payload.status === 'ok';
        if (ref === '1' && isOk && crossfader !== undefined) {
          client.send(JSON.stringify(['1', '2', topic, 'set_mixer', { changes: { crossfader } }]));
          return;
        }
        const found = ref === '1' ? (payload.response?.session?.mixer.crossfader ?? null) : null;
        const outcome = isOk && (ref === '1' || payload.response?.accepted === true);
        resolve({ status: 200, outcome: outcome ? 'acknowledged' : 'refused', body: found });
      });
      setTimeout(() => resolve(nothing), longestReplyMs).unref();
    });
  } finally {
    client.terminate();
  }
}
