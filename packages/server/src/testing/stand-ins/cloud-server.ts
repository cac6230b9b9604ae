import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { systemClock } from '../../platform/clock.ts';
import { newRandomId } from '../../platform/ids.ts';
import { readOrder, type StandInOrder, standInMinutes, standInParts } from './cloud-data.ts';

/** A reply sent instead of the correct one. */
export interface CloudMishap {
  /** Applies only to paths that contain this. */
  readonly path: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends no reply until the client gives up. */
  readonly hangs?: boolean;
  /** Closes the connection after this many bytes of the correct reply. */
  readonly cutsAfterBytes?: number;
  /** Processes the request, but never sends the reply. */
  readonly losesAnswer?: boolean;
  /** Processes the request after this promise has resolved. */
  readonly after?: () => Promise<unknown>;
}

/** A task of the stand-in. */
export interface StandInTask {
  readonly id: string;
  readonly key: string;
  readonly order: StandInOrder;
  readonly minutes: number;
  readonly startedMs: number;
  state: 'running' | 'success' | 'error' | 'cancelled';
}

/** A loopback server with the cloud service's protocol. */
export interface StandInCloud {
  readonly url: string;
  /** Paths in the order of the requests, with their keys. */
  readonly requests: { readonly path: string; readonly key: string }[];
  /** Replies to the next requests, one each. */
  readonly mishaps: CloudMishap[];
  readonly tasks: Map<string, StandInTask>;
  /** Remaining minutes, by key. */
  readonly minutes: Map<string, number>;
  readonly behaviour: {
    /** Processing time of a stem, in ms. */
    stemMs: number;
    /** Suspends the progress of all tasks while true. */
    isHeld: boolean;
    /** Checks of one key per minute above which the reply is 429; null for no limit. */
    checksPerMinute: number | null;
    /** Labels left out of the results. */
    absent: readonly string[];
    /** Error messages by label; tasks with one of these labels fail. */
    failing: Readonly<Record<string, string>>;
    /** Replaces the links in the results. */
    rewriteLink: ((link: string) => string) | null;
  };
  /** Removes all tasks. */
  loseTasks(): void;
  /** Makes every link issued so far return 404. */
  expireLinks(): void;
  /** Removes all uploaded sources. */
  loseSources(): void;
  close(): Promise<void>;
}

interface Source {
  readonly bytes: Buffer;
  readonly seconds: number;
  /** Stems requested so far, by label. */
  readonly stems: Map<string, Promise<Uint8Array>>;
}

/**
 * Starts the stand-in.
 *
 * @param port port, or 0 for a free one
 */
export async function startStandInCloud(port = 0): Promise<StandInCloud> {
  const sources = new Map<string, Source>();
  const tasks = new Map<string, StandInTask>();
  const minutes = new Map(Object.entries(standInMinutes));
  const requests: { path: string; key: string }[] = [];
  const mishaps: CloudMishap[] = [];
  const checks: { key: string; atMs: number }[] = [];
  let linkGeneration = 0;
  let url = '';
  const behaviour: StandInCloud['behaviour'] = {
    stemMs: 20,
    isHeld: false,
    checksPerMinute: null,
    absent: [],
    failing: {},
    rewriteLink: null,
  };

  function give(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  function progressOf(task: StandInTask): number {
    if (behaviour.isHeld) return 0;
    const takesMs = behaviour.stemMs * task.order.labels.length;
    return Math.min(100, Math.floor(((systemClock.monotonicMs() - task.startedMs) / takesMs) * 100));
  }

  function statusOf(task: StandInTask): Record<string, unknown> {
    const about = { source_id: task.order.sourceId, presets: { task_type: 'split' } };
    if (task.state === 'cancelled') return { ...about, status: 'cancelled' };
    const failing = task.order.labels.find((label) => behaviour.failing[label] !== undefined);
    const progress = progressOf(task);
    if (progress < 100) return { ...about, status: 'progress', progress };
    if (failing !== undefined) {
      task.state = 'error';
      const error = { detail: behaviour.failing[failing], code: 'inference_error', id: 'e1' };
      return { ...about, status: 'error', error };
    }
    task.state = 'success';
    const link = (label: string) => {
      const plain = `${url}/tracks/${linkGeneration}/${task.order.sourceId}/${label}`;
      return behaviour.rewriteLink ? behaviour.rewriteLink(plain) : plain;
    };
    const stems = task.order.labels.filter((label) => !behaviour.absent.includes(label));
    const tracks = [
      ...stems.map((label) => ({ type: 'stem', label, url: link(label), name: null, size: null })),
      { type: 'back', label: 'no_multistem', url: link('back') },
    ];
    const duration = Math.round(sources.get(task.order.sourceId)?.seconds ?? 0);
    return { ...about, status: 'success', result: { duration, tracks } };
  }

  async function upload(body: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name] =
      /^attachment; filename=(\S+)$/.exec(String(request.headers['content-disposition'])) ?? [];
    if (name === undefined) return give(response, 400, { detail: 'No file name', code: 'bad_request' });
    const { info } = await decodeFile(body);
    const seconds = (info.declared_frames ?? 0) / info.sample_rate;
    const id = newRandomId();
    sources.set(id, { bytes: body, seconds, stems: new Map() });
    const expires = Math.floor(systemClock.now().getTime() / 1000) + 86_400;
    give(response, 200, { id, name, size: body.length, duration: Math.round(seconds), expires });
  }

  function split(path: string, body: unknown, key: string, response: ServerResponse): void {
    const order = readOrder(path, body);
    if ('refusal' in order) return give(response, 422, order.refusal);
    const source = sources.get(order.sourceId);
    if (!source) {
      const detail =
        'The file has not been uploaded properly or has already been deleted. Please upload it again.';
      return give(response, 400, { detail, code: 'source_not_found' });
    }
    const same = [...tasks.values()].find(
      (task) => order.idempotencyKey !== null && task.order.idempotencyKey === order.idempotencyKey,
    );
    if (same && progressOf(same) === 0) return give(response, 200, { task_id: same.id });
    if (same)
      return give(response, 400, {
        detail: 'Idempotency key has already been used.',
        code: 'idempotency_key_used',
      });
    const cost = (source.seconds / 60) * order.charged;
    const left = minutes.get(key) ?? 0;
    if (cost > left) return give(response, 400, { detail: 'Not enough minutes', code: 'exceeded_duration' });
    minutes.set(key, left - cost);
    const startedMs = systemClock.monotonicMs();
    const task: StandInTask = {
      id: newRandomId(),
      key,
      order,
      minutes: cost,
      startedMs,
      state: 'running',
    };
    tasks.set(task.id, task);
    give(response, 200, { task_id: task.id });
  }

  const unknownTask = { status: 'server_error', error: 'Failed to extract information about task' };

  function check(ids: readonly string[], key: string, response: ServerResponse): void {
    const nowMs = systemClock.monotonicMs();
    checks.push({ key, atMs: nowMs });
    const recent = checks.filter((one) => one.key === key && one.atMs > nowMs - 60_000);
    if (behaviour.checksPerMinute !== null && recent.length > behaviour.checksPerMinute)
      return give(response, 429, { detail: 'Too Many Requests' });
    const result = ids.map((id) => {
      const task = tasks.get(id);
      return [id, task?.key === key ? statusOf(task) : unknownTask];
    });
    give(response, 200, { result: Object.fromEntries(result) as unknown });
  }

  function cancel(ids: readonly string[], key: string, response: ServerResponse): void {
    const result = ids.map((id) => {
      const task = tasks.get(id);
      if (task?.key !== key) return [id, { status: 'server_error', error: 'Permission denied' }];
      if (task.state !== 'running')
        return [id, { status: 'server_error', error: 'Task is not in progress state' }];
      task.state = 'cancelled';
      minutes.set(key, (minutes.get(key) ?? 0) + task.minutes);
      return [id, { status: 'success' }];
    });
    give(response, 200, { result: Object.fromEntries(result) as unknown });
  }

  async function giveTrack(path: string, response: ServerResponse, cutsAfter?: number): Promise<void> {
    const [, , generation, sourceId = '', label = ''] = path.split('/');
    const source = sources.get(sourceId);
    if (!source || Number(generation) !== linkGeneration) {
      response.writeHead(404);
      return void response.end();
    }
    const name = decodeURIComponent(label);
    const known = source.stems.get(name) ?? renderStem(source.bytes, name);
    source.stems.set(name, known);
    const bytes = await known;
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': bytes.length });
    if (cutsAfter === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, cutsAfter), () => response.destroy());
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const key = String(request.headers['x-license-key'] ?? '');
    requests.push({ path, key });
    const at = mishaps.findIndex((one) => path.includes(one.path));
    const mishap = at < 0 ? undefined : mishaps.splice(at, 1)[0];
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    if (mishap?.hangs) return;
    await mishap?.after?.();
    const isTrue = mishap?.cutsAfterBytes !== undefined || mishap?.after !== undefined;
    if (mishap && !isTrue && !mishap.losesAnswer) {
      response.writeHead(mishap.status ?? 200, mishap.headers);
      return void response.end(mishap.body ?? '');
    }
    if (path.startsWith('/tracks/')) return giveTrack(path, response, mishap?.cutsAfterBytes);
    const [, name] = /^\/api\/v1\/(.+)\/$/.exec(path) ?? [];
    if (request.method !== 'POST' || name === undefined) return give(response, 404, { detail: 'Not Found' });
    if (key === '') return give(response, 403, { detail: 'Not authenticated' });
    if (!minutes.has(key)) return give(response, 403, { detail: 'Invalid license key' });
    const body = Buffer.concat(parts);
    if (name === 'upload') return upload(body, request, response);
    if (name === 'limits/minutes_left') return give(response, 200, { minutes_left: minutes.get(key) ?? 0 });
    const json: unknown = body.length > 0 ? JSON.parse(body.toString()) : {};
    const { task_ids: ids = [] } = json as { task_ids?: string[] };
    const sent = mishap?.losesAnswer ? silenced(response) : response;
    if (name.startsWith('split/')) split(name.slice(6), json, key, sent);
    else if (name === 'check') check(ids, key, sent);
    else if (name === 'cancel') cancel(ids, key, sent);
    else give(sent, 404, { detail: 'Not Found' });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    mishaps,
    tasks,
    minutes,
    behaviour,
    loseTasks: () => tasks.clear(),
    expireLinks: () => void (linkGeneration += 1),
    loseSources: () => sources.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Makes a response close its connection without sending anything. */
function silenced(response: ServerResponse): ServerResponse {
  response.writeHead = () => response;
  response.end = () => {
    response.destroy();
    return response;
  };
  return response;
}

/** Returns a stem of a song as 24-bit WAV: the song scaled. Empty if the stem does not exist. */
async function renderStem(bytes: Buffer, label: string): Promise<Uint8Array> {
  const part = standInParts[label];
  if (part === undefined) return new Uint8Array(0);
  const { info, samples } = await decodeFile(bytes);
  const shape = { sampleRate: info.sample_rate, channels: samples.length, bitDepth: '24' } as const;
  const scaled = samples.map((all) => all.map((sample) => sample * part));
  return encodeFile(createWavEncoder(shape), scaled);
}
