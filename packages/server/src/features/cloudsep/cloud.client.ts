import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { z } from 'zod';
import type { SecretText } from '../../platform/crypto/secret-text.ts';
import { messageOf } from '../../platform/errors.ts';
import { readLimited } from '../../platform/http/read-limited.ts';
import { CloudError, toDisplayText } from './cloud-error.ts';
import * as replies from './cloud-replies.ts';

/** Address of the service and the key to be charged. */
export interface CloudClientOptions {
  /** Base address without a trailing slash. */
  readonly url: string;
  readonly key: SecretText;
  /** Reply timeout in seconds. */
  readonly replySeconds: number;
}

/** Parameters of a requested split. */
export interface SplitOrder {
  readonly path: 'stem_separator' | 'multistem';
  readonly presets: Readonly<Record<string, unknown>>;
}

/** A file uploaded to the service. */
export interface CloudFile {
  readonly sourceId: string;
  readonly expiresAt: Date;
}

/** Client of the service's protocol. All methods throw {@link CloudError}, or the signal's reason. */
export interface CloudClient {
  minutesLeft(): Promise<number>;
  /** Uploads a file under a name. */
  upload(path: string, name: string, signal: AbortSignal): Promise<CloudFile>;
  /**
   * Requests a split and returns its task id. Repeating the idempotency key (a uuid of version 4) is charged once:
   * the same id is returned until the task begins; afterwards `asked before` is thrown.
   */
  split(sourceId: string, order: SplitOrder, idempotencyKey: string): Promise<string>;
  /** Returns the states of tasks; ids unknown to the service are missing. */
  check(taskIds: readonly string[]): Promise<Map<string, replies.CloudTaskReply>>;
  /** Cancels tasks. Returns the reason for each that was not cancelled. */
  cancel(taskIds: readonly string[]): Promise<Map<string, string>>;
}

/** Maximum reply size in bytes, above the status of the maximum number of tasks. */
const longestReplyBytes = 2_000_000;
/** Upload rate below which a connection is aborted, in bytes a second. */
const slowestUpload = 50_000;
/** Maximum time to wait for a cancellation, in s; the caller retries. */
const longestCancelSeconds = 20;
const quotaCodes = new Set(['exceeded_duration', 'not_enough_minutes', 'minutes_exceeded']);

/** Creates a client for one key. */
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
        // A redirect would send the key to another host.
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
        // The caller waits for the cancellation.
        seconds: Math.min(options.replySeconds, longestCancelSeconds),
      });
      const failed = new Map<string, string>();
      for (const id of taskIds) {
        const outcome = result[id];
        if (!outcome) failed.set(id, 'the cloud service does not know this task');
        else if (outcome.status === 'server_error')
          failed.set(id, toDisplayText(outcome.error ?? '') || 'the cloud service gave no reason');
      }
      return failed;
    },
  };
}

function refusalOf(status: number, text: string, retryAfter: string | null): CloudError {
  const { detail, code } = readRefusal(text);
  const quoted = detail === '' ? '' : ` (“${detail}”)`;
  if (status === 401 || status === 403) {
    return new CloudError('key', `the cloud service does not accept the key: it answered ${status}${quoted}`);
  }
  if (status === 402 || quotaCodes.has(code)) {
    return new CloudError('quota', `not enough minutes are left at the cloud service${quoted}`);
  }
  if (status === 429) {
    const seconds = Number(retryAfter ?? Number.NaN);
    const wait = Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
    return new CloudError('busy', 'the cloud service limits the rate of requests (it answered 429)', wait);
  }
  if (code === 'idempotency_key_used') {
    return new CloudError('asked before', `the cloud service has already accepted this request${quoted}`);
  }
  if (/not been uploaded|already been deleted|source.*not found/i.test(detail)) {
    return new CloudError('gone', `the cloud service no longer stores the upload${quoted}`);
  }
  if (status >= 500 || status === 408) {
    return new CloudError('away', `the cloud service answered ${status}${quoted}`);
  }
  return new CloudError('refused', `the cloud service refused the request: it answered ${status}${quoted}`);
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
  const message = typeof detail === 'string' ? detail : JSON.stringify(detail ?? '');
  return { detail: toDisplayText(message), code: code ?? '' };
}

function parse<T>(text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CloudError('malformed', 'the cloud service sent a reply that is not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CloudError('malformed', 'the cloud service sent an unexpected reply');
}

function networkReason(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : messageOf(cause ?? error);
}
