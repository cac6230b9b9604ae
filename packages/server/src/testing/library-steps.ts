import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EndpointSpec, pathOf, type ReplyOf } from '@stem-studio/contract/endpoint';
import { searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { type ErrorBody, errorBody } from '@stem-studio/contract/errors';
import type { Track } from '@stem-studio/contract/resources/track';
import type { JobStatus } from '@stem-studio/contract/states';
import type { LightMyRequestResponse } from 'fastify';
import { localId, localLink } from '../features/catalog/local-id.ts';
import { createSeparatorPool, shareSeparatorPool } from '../features/processing/engines/separator-pool.ts';
import { features } from '../features.ts';
import type { Context } from '../platform/context.ts';
import { deleteMarkedFolders } from '../platform/files/folders-to-delete.ts';
import { quarantineName } from '../platform/files/quarantine.ts';
import { findJob } from '../platform/queue/jobs.store.ts';
import type { BusMessage } from '../platform/socket/bus.ts';
import { cleanUp } from './clean-up.ts';
import { eventually } from './eventually.ts';
import { repeatSeparations } from './repeated-separations.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { drainJobs, type TestLifetime, type TestOverrides } from './test-context.ts';
import type { TestUser } from './test-user.ts';

/** Input of an endpoint; a test may also send input that no schema accepts. */
export interface Question {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** Reply of an endpoint: `body` on success, `error` on failure; reading the other one throws. */
export interface Answer<T extends EndpointSpec> {
  readonly status: number;
  readonly body: ReplyOf<T>;
  readonly error: ErrorBody;
  readonly headers: LightMyRequestResponse['headers'];
}

/** A caller, identified by the request headers. */
export type Caller = Pick<TestUser, 'headers'>;

/** The whole service with one user. No job follows a download unless requested. */
export interface LibraryApp extends TestApp {
  readonly user: TestUser;
  /** Calls an endpoint of the contract as the user, or as another caller. */
  ask<T extends EndpointSpec>(spec: T, question?: Question, as?: Caller): Promise<Answer<T>>;
  /** Uploads a file as the page does. */
  upload(bytes: Uint8Array, fileName?: string, as?: Caller): Promise<Answer<typeof uploadFile>>;
  /** Uploads a file, waits until it is prepared, and returns its track. */
  addTrack(bytes: Uint8Array, fileName?: string, as?: Caller): Promise<Track>;
  /** Returns the link of the first result of a catalog search. */
  linkOf(query: string): Promise<string>;
  /** Runs the periodic tasks of the features once and waits for them. */
  sweep(): Promise<void>;
  /** Returns the relative paths of all files in the uploads directory except the quarantine. */
  readonly storedFiles: () => Promise<string[]>;
}

/**
 * Separators of the tests of this process: to start one and load its networks takes longer than to separate a second of
 * audio. The last one ends seconds after the last test.
 */
const separators = createSeparatorPool(4);
const repeatingSeparators = repeatSeparations(separators);

/** Options of {@link openLibrary}. */
export interface LibraryOverrides extends TestOverrides {
  /** Whether a song that this process has separated before gets the same stems again. For tests that only need stems. */
  readonly repeatsSeparations?: boolean;
}

/**
 * Opens the service with a user; stems and analyses are created only on request. Its separators serve the next tests too,
 * unless `separationRestSeconds` is given.
 */
export async function openLibrary(
  t: TestLifetime,
  { repeatsSeparations = false, ...overrides }: LibraryOverrides = {},
): Promise<LibraryApp> {
  const config = { autoAnalyze: false, autoSeparate: false, ...overrides.config };
  const opened = await openTestApp(t, { ...overrides, config });
  if (config.separationRestSeconds === undefined)
    shareSeparatorPool(opened.context, repeatsSeparations ? repeatingSeparators : separators);
  const { app, context } = opened;
  const user = await opened.registerUser();

  const ask: LibraryApp['ask'] = async (spec, question = {}, as = user) => {
    const { params, query, body } = question;
    const reply = await app.inject({
      method: spec.method,
      url: pathOf(spec, params),
      headers: as.headers,
      ...(query && { query: asText(query) }),
      ...(body !== undefined && { payload: body as object }),
    });
    return answerOf(spec, reply);
  };
  const upload: LibraryApp['upload'] = async (bytes, fileName = 'song.wav', as = user) => {
    const form = multipart([{ name: 'file', fileName, bytes }]);
    return answerOf(
      uploadFile,
      await app.inject({
        method: 'POST',
        url: uploadFile.path,
        headers: { ...as.headers, ...form.headers },
        payload: form.payload,
      }),
    );
  };
  return {
    ...opened,
    user,
    ask,
    upload,
    async addTrack(bytes, fileName, as) {
      const { track_id } = (await upload(bytes, fileName, as)).body.data;
      await drainJobs(context);
      // The next sweep removes received files that are already stored.
      await deleteMarkedFolders(context);
      const shown = await ask(getTrack, { params: { id: track_id } }, as);
      assert.equal(shown.body.data.download?.error, null);
      return shown.body.data;
    },
    async linkOf(query) {
      const found = await ask(searchCatalog, { query: { q: query } });
      const [first] = found.body.data;
      assert.ok(first, `the catalog has nothing for "${query}"`);
      return first.catalog_url;
    },
    async sweep() {
      for (const feature of features) await (await feature.start?.(context))?.();
    },
    storedFiles: async () =>
      (await filesBelow(context.config.uploadsDir)).filter((path) => !path.startsWith(quarantineName)),
  };
}

function asText(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** Returns a reply of an endpoint, whose body is validated by its schema. */
export function answerOf<T extends EndpointSpec>(spec: T, reply: LightMyRequestResponse): Answer<T> {
  const { statusCode, headers } = reply;
  return {
    status: statusCode,
    headers,
    get body() {
      assert.ok(statusCode < 400, `${statusCode} ${reply.payload}`);
      return (spec.reply ? spec.reply.parse(reply.json()) : undefined) as ReplyOf<T>;
    },
    get error() {
      assert.ok(statusCode >= 400, `${statusCode} ${reply.payload}`);
      return errorBody.parse(reply.json());
    },
  };
}

/** Returns the link of an album (`album artist`, NUL, `album`) or a playlist (its path) of the folder catalog. */
export function folderLink(type: 'album' | 'playlist', name: string): string {
  return localLink(type, localId(type, name));
}

/** One part of a form; a file if it has a file name. */
export interface FormPart {
  readonly name: string;
  readonly fileName?: string;
  readonly bytes: Uint8Array;
}

/** Returns a multipart/form-data body and its headers. */
export function multipart(parts: readonly FormPart[]): {
  headers: { 'content-type': string };
  payload: Buffer;
} {
  const boundary = 'a-boundary-of-a-test';
  const pieces = parts.flatMap(({ name, fileName, bytes }) => {
    const file =
      fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: application/octet-stream`;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), bytes, Buffer.from('\r\n')];
  });
  const payload = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload };
}

/**
 * Returns the sorted relative paths of all files below a folder. Files that are deleted in the meantime are left out.
 */
export async function filesBelow(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, path)));
    else found.push(path);
  }
  return found.toSorted();
}

/** Creates a temporary folder, removed after the test. */
export async function makeFolder(t: TestLifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-folder-'));
  // A process that has just ended may still have children that write into it.
  cleanUp(t, () => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Collects every message on a topic from now on. */
export function listenTo(context: Context, topic: string): BusMessage[] {
  const received: BusMessage[] = [];
  context.bus.subscribe(topic, (message) => void received.push(message));
  return received;
}

/**
 * Waits for the final progress event of a job and returns all of its progress payloads. The event follows the change of
 * the job by a moment.
 */
export async function messagesToTheEnd(
  received: readonly BusMessage[],
  jobId: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const ofJob = () =>
    received.flatMap(({ event, payload }) =>
      event === 'job_progress' && payload['job_id'] === jobId ? [payload] : [],
    );
  return eventually(ofJob, (messages) =>
    messages.some(({ status }) => status === 'completed' || status === 'failed'),
  );
}

/** Polls the database, not the API, until a job has this status. Throws if it finishes with another one. */
export async function untilJob(context: Context, jobId: string, status: JobStatus): Promise<void> {
  const isThere = (job: Awaited<ReturnType<typeof findJob>>) => {
    if (job?.status !== status)
      assert.equal(job?.finished_at, null, `the job is ${job?.status}: ${job?.error}`);
    return job?.status === status;
  };
  await eventually(() => findJob(context.db, jobId), isThere);
}
