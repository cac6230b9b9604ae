import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { z } from 'zod';
import type { SecretText } from '../../platform/crypto/secret-text.ts';
import { messageOf } from '../../platform/errors.ts';
import { readLimited } from '../../platform/http/read-limited.ts';
import { CloudError, wordsOf } from './cloud-error.ts';
import * as replies from './cloud-replies.ts';

/** Where the service answers, and whose key pays. */
export interface CloudClientOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: SecretText;
  /** How long one reply may take. */
  readonly replySeconds: number;
}

/** A split as the service is asked for it. */
export interface SplitOrder {
  readonly path: 'stem_separator' | 'multistem';
  readonly presets: Readonly<Record<string, unknown>>;
}

/** A file that lies at the service. */
export interface CloudFile {
  readonly sourceId: string;
  readonly expiresAt: Date;
}

/** The service's protocol. Everything throws {@link CloudError}, or the signal's reason. */
export interface CloudClient {
  minutesLeft(): Promise<number>;
  /** Sends a file under a name. */
  upload(path: string, name: string, signal: AbortSignal): Promise<CloudFile>;
  /**
   * Asks for a split and gives its task's id. With the same idempotency key (a uuid of version 4) nothing is paid twice:
   * until the task begins the same id comes back, afterwards it throws `asked before`.
   */
  split(sourceId: string, order: SplitOrder, idempotencyKey: string): Promise<string>;
  /** How tasks stand; one that the service knows nothing of is missing. */
  check(taskIds: readonly string[]): Promise<Map<string, replies.CloudTaskReply>>;
  /** Ends tasks; gives for each that was not ended why. */
  cancel(taskIds: readonly string[]): Promise<Map<string, string>>;
}

/** More than a check of all tasks that there may be. */
const longestReplyBytes = 2_000_000;
/** A connection that is slower than this is given up, in bytes a second. */
const slowestUpload = 50_000;
/** A cancel is waited for no longer; whoever asked tries again. */
const longestCancelSeconds = 20;
const quotaCodes = new Set(['exceeded_duration', 'not_enough_minutes', 'minutes_exceeded']);

/** A client for one key. */
export function createCloudClient(options: CloudClientOptions): CloudClient {
  async function post<T>(
    path: string,
    schema: z.ZodType<T>,
    init: {
      readonly body?: string | Blob;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
      readonly seconds?: number;
    } = {},
  ): Promise<T> {
    const { signal, seconds = options.replySeconds, body, headers } = init;
    const limit = AbortSignal.timeout(seconds * 1000);
    let status: number;
    let retryAfter: string | null;
    let text: string;
    try {
      const response = await fetch(`${options.url}/api/v1/${path}/`, {
        method: 'POST',
        // A redirect would carry the key to somebody else.
        redirect: 'error',
        headers: { ...headers, accept: 'application/json', 'x-license-key': options.key.reveal() },
        ...(body !== undefined && { body }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      status = response.status;
      retryAfter = response.headers.get('retry-after');
      text = new TextDecoder().decode(await readLimited(response, longestReplyBytes));
    } catch (error) {
      signal?.throwIfAborted();
      const why = limit.aborted ? `it did not answer within ${seconds} s` : networkReason(error);
      throw new CloudError('away', `the cloud service cannot be reached: ${why}`);
    }
    if (status !== 200) throw refusalOf(status, text, retryAfter);
    return parse(text, schema);
  }

  const asJson = (value: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });

  return {
    minutesLeft: async () =>
      Math.max(0, (await post('limits/minutes_left', replies.minutesReply)).minutes_left),
    async upload(path, name, signal) {
      const { size } = await stat(path);
      const { id, expires } = await post('upload', replies.uploadReply, {
        headers: {
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename=${name}`,
        },
        body: await openAsBlob(path),
        signal,
        seconds: options.replySeconds + Math.ceil(size / slowestUpload),
      });
      return { sourceId: id, expiresAt: new Date(expires * 1000) };
    },
    async split(sourceId, { path, presets }, idempotencyKey) {
      const order = { source_id: sourceId, presets, idempotency_key: idempotencyKey };
      return (await post(`split/${path}`, replies.splitReply, asJson(order))).task_id;
    },
    async check(taskIds) {
      const { result } = await post('check', replies.checkReply, asJson({ task_ids: taskIds }));
      return new Map(Object.entries(result).filter(([id]) => taskIds.includes(id)));
    },
    async cancel(taskIds) {
      const { result } = await post('cancel', replies.cancelReply, {
        ...asJson({ task_ids: taskIds }),
        // Whoever cancels waits for it.
        seconds: Math.min(options.replySeconds, longestCancelSeconds),
      });
      const failed = new Map<string, string>();
      for (const id of taskIds) {
        const said = result[id];
        if (!said) failed.set(id, 'the cloud service does not know this task');
        else if (said.status === 'server_error')
          failed.set(id, wordsOf(said.error ?? '') || 'the cloud service did not say why');
      }
      return failed;
    },
  };
}

function refusalOf(status: number, text: string, retryAfter: string | null): CloudError {
  const { detail, code } = readRefusal(text);
  const said = detail === '' ? '' : ` (“${detail}”)`;
  if (status === 401 || status === 403) {
    return new CloudError('key', `the cloud service does not accept the key: it answered ${status}${said}`);
  }
  if (status === 402 || quotaCodes.has(code)) {
    return new CloudError('quota', `the minutes at the cloud service do not suffice${said}`);
  }
  if (status === 429) {
    const seconds = Number(retryAfter ?? Number.NaN);
    const wait = Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
    return new CloudError('busy', 'the cloud service asks to be asked less often (it answered 429)', wait);
  }
  if (code === 'idempotency_key_used') {
    return new CloudError('asked before', `the cloud service has taken this before${said}`);
  }
  if (/not been uploaded|already been deleted|source.*not found/i.test(detail)) {
    return new CloudError('gone', `what was sent lies at the cloud service no longer${said}`);
  }
  if (status >= 500 || status === 408) {
    return new CloudError('away', `the cloud service answered ${status}${said}`);
  }
  return new CloudError('refused', `the cloud service refused it: it answered ${status}${said}`);
}

function readRefusal(text: string): { detail: string; code: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { detail: '', code: '' };
  }
  const parsed = replies.refusalReply.safeParse(json);
  if (!parsed.success) return { detail: '', code: '' };
  const { detail, code } = parsed.data;
  const words = typeof detail === 'string' ? detail : JSON.stringify(detail ?? '');
  return { detail: wordsOf(words), code: code ?? '' };
}

function parse<T>(text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CloudError('malformed', 'the cloud service answered with something that is not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CloudError('malformed', 'the cloud service answered in a form that this studio does not know');
}

function networkReason(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : messageOf(cause ?? error);
}
