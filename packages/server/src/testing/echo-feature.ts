import { endpoint } from '@stem-studio/contract/endpoint';
import { dataOf, pageQuery } from '@stem-studio/contract/envelope';
import { idParams } from '@stem-studio/contract/ids';
import { z } from 'zod';
import { createApp } from '../app.ts';
import { stateForbids } from '../platform/errors.ts';
import type { Feature } from '../platform/feature.ts';
import { receiveFile } from '../platform/http/receive-file.ts';
import { route, withStatus } from '../platform/http/route.ts';
import type { ArrivalLimits } from '../platform/http/slow-bodies.ts';
import { fakeAuthenticator } from './fake-authenticator.ts';
import { createStillClock } from './test-clock.ts';
import { openTestContext, type TestLifetime, type TestOverrides } from './test-context.ts';

const echo = endpoint({
  method: 'POST',
  path: '/api/echo/:id',
  summary: 'Says it again',
  auth: 'api',
  scope: 'tracks:write',
  limit: 'import',
  status: 201,
  params: idParams,
  query: z.strictObject({ ...pageQuery }),
  body: z.strictObject({
    title: z.string().min(1, 'must not be empty'),
    tags: z.array(z.string()).default([]),
  }),
  reply: dataOf(z.object({ title: z.string(), page: z.int(), user: z.int() })),
});
const list = endpoint({
  method: 'GET',
  path: '/api/list',
  summary: 'x',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  reply: dataOf(z.int()),
});
const admin = endpoint({ ...list, path: '/api/admins', role: 'admin' });
const browsers = endpoint({ ...list, path: '/api/browsers', auth: 'cookie', scope: undefined });
const broken = endpoint({ ...list, path: '/api/broken' });
const failing = endpoint({ ...list, path: '/api/failing' });
const removal = endpoint({
  method: 'DELETE',
  path: '/api/list/:id',
  summary: 'x',
  auth: 'api',
  scope: 'tracks:write',
  status: 204,
  params: idParams,
});
const forbiddenState = endpoint({ ...removal, path: '/api/tracks/:id/stop', method: 'POST' });
/** Receives a file and returns its size, hash and name. */
export const upload = endpoint({
  method: 'POST',
  path: '/api/up',
  summary: 'x',
  auth: 'api',
  scope: 'tracks:write',
  status: 201,
  bodyKind: 'multipart',
  reply: dataOf(z.object({ bytes: z.int(), sha256: z.string(), fileName: z.string() })),
});

/** Endpoints that return what an endpoint of any feature receives. */
const echoes: Feature = {
  name: 'echoes',
  routes: (app, context) => {
    route(app, context, echo, async ({ viewer, query, body }) => {
      const data = { data: { title: body.title, page: query.page, user: viewer.id } };
      return body.title === 'old' ? withStatus(200, data) : data;
    });
    route(app, context, list, async () => ({ data: 1 }));
    route(app, context, admin, async () => ({ data: 2 }));
    route(app, context, browsers, async () => ({ data: 3 }));
    route(app, context, broken, async () => ({ data: 'four' as unknown as number }));
    route(app, context, failing, () => Promise.reject(new Error('the password is hunter2')));
    route(app, context, slow, async () => {
      entered.resolve();
      await leave.promise;
      return { data: 5 };
    });
    route(app, context, removal, async () => undefined);
    route(app, context, forbiddenState, () =>
      Promise.reject(stateForbids('TRACK_NOT_DOWNLOADED', 'not downloaded yet')),
    );
    route(app, context, upload, async ({ request }) => ({
      data: await receiveFile(context, request, 'in/file'),
    }));
  },
};

/**
 * Opens the service with the echo endpoints only, where a header identifies the caller. Its clock does not advance,
 * because requests are counted per time.
 */
export async function openEchoes(t: TestLifetime, overrides: TestOverrides = {}, arrival?: ArrivalLimits) {
  const context = await openTestContext(t, { clock: createStillClock(), ...overrides });
  const service = await createApp(context, [echoes], fakeAuthenticator, arrival);
  context.beforeClose(() => service.stop());
  return { context, app: service.http, service };
}

/** Resolves when a request has reached `/api/slow`. */
export const entered = Promise.withResolvers<void>();
/** Lets `/api/slow` reply. */
export const leave = Promise.withResolvers<void>();
const slow = endpoint({ ...list, path: '/api/slow' });

/** An id without a record. */
export const id = '01890f6e-0000-7000-8000-000000000000';
/** Headers of user 7 with a token. */
export const bearer = { authorization: 'Bearer 7' };
/** Returns a request to the echo endpoint. */
export const echoed = (
  payload: object | string,
  headers: Record<string, string> = bearer,
  url = `/api/echo/${id}`,
) => ({ method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, payload }) as const;
