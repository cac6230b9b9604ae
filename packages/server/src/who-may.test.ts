import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { topicOf } from '@stem-studio/contract/channel';
import { errorBody } from '@stem-studio/contract/errors';
import { hasScope } from '@stem-studio/contract/scopes';
import { channels } from '@stem-studio/contract/service';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { hashPassword } from './features/accounts/passwords.ts';
import { features } from './features.ts';
import type { Context } from './platform/context.ts';
import type { Feature } from './platform/feature.ts';
import { webDistFolder } from './platform/http/web-files.ts';
import { goodPassword } from './testing/account-steps.ts';
import { cloudConfig, openStandInCloud } from './testing/cloud-config.ts';
import { type LibraryApp, openLibrary } from './testing/library-steps.ts';
import { accesses, type Outcome } from './testing/roles/access.ts';
import { belongingsOf, createPattern, type Pattern } from './testing/roles/belongings.ts';
import { type Caller, callers } from './testing/roles/callers.ts';
import { enrol, insertPerson, type Person, scopesOf } from './testing/roles/enrol.ts';
import { listMountedRoutes } from './testing/roles/mounted-routes.ts';
import type { RoleRow } from './testing/roles/role.ts';
import { roleTable } from './testing/roles/role-table.ts';
import { rolesPage } from './testing/roles/roles-page.ts';
import { payloadOf, urlOf } from './testing/roles/send-asked.ts';
import { topicRoles } from './testing/roles/topic-roles.ts';
import { rawClient, socketUrl } from './testing/socket-client.ts';
import { startStandInCatalog } from './testing/stand-ins/catalog-server.ts';
import type { TestLifetime } from './testing/test-context.ts';

/** Returns all stored data of a user except the time of last activity. */
async function stateOf({ db }: Context, { id }: Person): Promise<string> {
  const own = sql`user_id = ${id}`;
  const { rows } = await sql<{
    state: string;
  }>`select coalesce(string_agg(x, e'\n' order by x), '') as state from (
    select (to_jsonb(u) - 'last_active_at')::text as x from users u where id = ${id}
    union all select (to_jsonb(k) - 'last_used_at')::text from api_keys k where ${own}
    union all select (to_jsonb(s) - 'last_seen_at' - 'expires_at')::text from login_sessions s where ${own}
    union all select t::text from tracks t where ${own}
    union all select j::text from jobs j where ${own}
    union all select i::text from imports i where ${own}) kept`.execute(db);
  return rows[0]?.state ?? '';
}

/** Callers of HEAD requests, which are routed like GET: one of each kind suffices. */
const headCallers = new Set([
  'nobody',
  'owner, token',
  'owner, cookie',
  'another user, cookie',
  'admin, cookie',
]);
/** Expected status of the dashboard, which is 503 without a built page. */
const dashboardStatus = existsSync(join(webDistFolder, 'index.html')) ? 200 : 503;

interface TestStudio {
  readonly library: LibraryApp;
  readonly pattern: Pattern;
  readonly passwordHash: string;
}

async function openTestStudio(t: TestLifetime): Promise<TestStudio> {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const cloudsep = cloudConfig(await openStandInCloud(t));
  const library = await openLibrary(t, { config: { webCatalog: standIn, cloudsep, port: 4000 } });
  // A platform admin who remains whichever user is deleted.
  await library.registerUser('platform_admin');
  return { library, pattern: await createPattern(library), passwordHash: await hashPassword(goodPassword) };
}

let calls = 0;
/** Number of concurrent cells: half of the service's database connections. */
const cellsAtOnce = 4;

/** Runs one cell of the table. Owner, subject and caller are new, and the caller has its own address. */
async function call(
  { library, pattern, passwordHash }: TestStudio,
  route: string,
  row: RoleRow,
  caller: Caller,
  method: string,
  isRefused: boolean,
) {
  const { app, context } = library;
  const owner = await insertPerson(context, 'user', passwordHash);
  const asked = (await row.make?.(belongingsOf(context, pattern, owner))) ?? {};
  const headers = await enrol(context, caller, owner, passwordHash, row.scope ?? null);
  const sent = payloadOf(asked);
  const before = isRefused ? await stateOf(context, owner) : null;
  const number = ++calls;
  const reply = await app.inject({
    method: method as InjectOptions['method'],
    url: urlOf(route, asked),
    query: asked.query,
    headers: { host: '127.0.0.1:4000', ...sent.headers, ...headers },
    payload: method === 'HEAD' ? undefined : sent.payload,
    remoteAddress: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
  });
  return { reply, owner, isUnchanged: isRefused ? (await stateOf(context, owner)) === before : null };
}

function statusFor(row: RoleRow, caller: Caller, outcome: Outcome): number {
  if (outcome === 'to log-in') return 303;
  if (outcome !== 'answered') return outcome;
  if (typeof row.status === 'number') return row.status;
  return caller.standing !== 'nobody' && caller.way === 'cookie' ? row.status.browser : row.status.nobody;
}

function checkRefusal(
  reply: LightMyRequestResponse,
  outcome: Outcome,
  isUnchanged: boolean,
  cell: string,
): void {
  assert.ok(isUnchanged, `${cell}: something of the owner's changed`);
  if (outcome === 'to log-in')
    return assert.match(String(reply.headers.location), /^\/users\/log-in(\?|$)/, cell);
  if (reply.body !== '') errorBody.parse(reply.json());
  if (outcome === 401) assert.match(String(reply.headers['www-authenticate']), /^Bearer/, cell);
}

async function checkCell(studio: TestStudio, route: string, row: RoleRow, caller: Caller, method: string) {
  const cell = `${method === 'HEAD' ? 'HEAD of ' : ''}${route}, ${caller.name}`;
  const outcome = accesses[row.access].outcomeFor(caller, !route.startsWith('GET '));
  const { reply, owner, isUnchanged } = await call(
    studio,
    route,
    row,
    caller,
    method,
    outcome !== 'answered',
  );
  const isDashboard = route === 'GET /' && outcome === 'answered';
  const expected = isDashboard ? dashboardStatus : statusFor(row, caller, outcome);
  if (reply.statusCode !== expected)
    return `${cell}: ${reply.statusCode} instead of ${expected} ${reply.body.slice(0, 150)}`;
  for (const name of ['limit', 'remaining', 'reset'])
    assert.match(String(reply.headers[`x-ratelimit-${name}`]), /^\d+$/, cell);
  if (outcome !== 'answered') checkRefusal(reply, outcome, isUnchanged === true, cell);
  const isStranger = caller.standing === 'nobody' || caller.standing === 'another user';
  if (isStranger && row.access !== 'anybody')
    assert.ok(!reply.rawPayload.includes(owner.mark), `${cell}: the reply tells of the owner`);
  return null;
}

test('for every route and caller the reply matches the table, and a refusal changes and reveals nothing', async (t) => {
  const studio = await openTestStudio(t);
  const cells = [...roleTable].flatMap(([route, row]) => {
    const [method = ''] = route.split(' ');
    return callers.flatMap((caller) => {
      const ways = method === 'GET' && headCallers.has(caller.name) ? ['GET', 'HEAD'] : [method];
      return ways.map((way) => () => checkCell(studio, route, row, caller, way));
    });
  });
  // Each cell has its own users and subjects, so that several can run concurrently.
  const waiting = cells.values();
  const check = async () => {
    const wrong: string[] = [];
    for (const cell of waiting) {
      const problem = await cell();
      if (problem) wrong.push(problem);
    }
    return wrong;
  };
  const found = await Promise.all(Array.from({ length: cellsAtOnce }, check));
  assert.deepEqual(found.flat(), []);
});

/** Routes of the files of the built page. */
const builtFiles = globSync('**/*', { cwd: webDistFolder }).map((file) => `GET /${file}`);

/** Returns routes without a row and rows without a route. */
function compareWithTable(mounted: readonly string[], table: ReadonlyMap<string, RoleRow>): string[] {
  const known = new Set([...table.keys(), ...builtFiles]);
  const missing = mounted.filter((route) => !known.has(route)).map((route) => `no row for ${route}`);
  const there = new Set(mounted);
  return [
    ...missing,
    ...[...table.keys()].filter((key) => !there.has(key)).map((key) => `no route for ${key}`),
  ];
}

test('a route without a row is reported, and so is a row without a route', async (t) => {
  const { app } = await openLibrary(t);
  const mounted = listMountedRoutes(app);
  assert.ok(mounted.length >= roleTable.size);
  assert.deepEqual(compareWithTable(mounted, roleTable), []);
  for (const route of roleTable.keys()) {
    const less = new Map([...roleTable].filter(([name]) => name !== route));
    assert.deepEqual(compareWithTable(mounted, less), [`no row for ${route}`]);
  }
  const planted: Feature = {
    name: 'planted',
    routes: (scope) => void scope.delete('/api/tracks/:id/everything', (_request, reply) => reply.send()),
  };
  const more = await openLibrary(t, { features: [...features, planted] });
  const wrong = compareWithTable(listMountedRoutes(more.app), roleTable);
  assert.deepEqual(wrong, ['no row for DELETE /api/tracks/:id/everything']);
});

/** Returns the status of a socket opened by a caller. */
function admissionOf({ standing, way, hasCsrf }: Caller, path: '/socket' | '/live'): number {
  if (standing === 'nobody') return 401;
  if (path === '/socket') return 101;
  if (way !== 'cookie') return 401;
  return hasCsrf ? 101 : 403;
}

test('callers open the sockets and join the topics that the table permits', async (t) => {
  const studio = await openTestStudio(t);
  const { context, service } = studio.library;
  const address = await service.listen(0, '127.0.0.1');
  for (const caller of callers)
    for (const path of ['/socket', '/live'] as const) {
      const owner = await insertPerson(context, 'user', studio.passwordHash);
      const { 'x-csrf-token': csrf = '', ...headers } = await enrol(
        context,
        caller,
        owner,
        studio.passwordHash,
        'jobs:read',
      );
      const query = new URLSearchParams({ vsn: '2.0.0', _csrf_token: csrf }).toString();
      const client = await rawClient(t, socketUrl(address, path), query, { ...headers, origin: address });
      assert.equal(client.status, admissionOf(caller, path), `${path}, ${caller.name}`);
      if (client.status !== 101) continue;
      for (const [name, row] of Object.entries(topicRoles)) {
        const spec = channels[name as keyof typeof channels];
        const params = await row.make(belongingsOf(context, studio.pattern, owner));
        client.send([name, name, topicOf(spec, params), 'phx_join', {}]);
        let [, ref, , , payload] = await client.next();
        // Messages pushed meanwhile have no reference.
        while (ref !== name) [, ref, , , payload] = await client.next();
        const isServed = spec.socket === `${path}/websocket`;
        const hasNoScope =
          isServed && spec.scope !== null && !hasScope(scopesOf(caller, 'jobs:read'), spec.scope);
        const isThere = isServed && !hasNoScope && row.mayJoin(caller);
        const cell = `${topicOf(spec, params)} on ${path}, ${caller.name}`;
        const { status, response } = payload as { status: string; response: Record<string, unknown> };
        assert.equal(status, isThere ? 'ok' : 'error', cell);
        const refusal = hasNoScope ? { reason: 'forbidden', scope: spec.scope } : { reason: 'not_found' };
        if (!isThere) assert.deepEqual(response, refusal, cell);
      }
      client.client.terminate();
    }
});

test('docs/roles.md matches the table (generated by write-roles-page.ts)', async () => {
  const written = await readFile(new URL('../../../docs/roles.md', import.meta.url), 'utf8');
  assert.equal(written, rolesPage());
});
