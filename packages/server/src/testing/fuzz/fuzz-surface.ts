import { openApi } from '@stem-studio/contract/endpoints/openapi';
import { endpoints } from '@stem-studio/contract/service';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { OpenApiDocument } from '../../platform/http/openapi.ts';
import { cloudConfig, openStandInCloud } from '../cloud-config.ts';
import { openLibrary } from '../library-steps.ts';
import { createPattern, type Pattern } from '../roles/belongings.ts';
import { endpointRoles } from '../roles/endpoint-roles.ts';
import { payloadOf, urlOf } from '../roles/send-asked.ts';
import { startStandInCatalog } from '../stand-ins/catalog-server.ts';
import { testWav } from '../test-audio.ts';
import type { TestLifetime } from '../test-context.ts';
import { createMember, headersOf, type Member, withIds } from './crowd.ts';
import { createJudge } from './reply-judge.ts';
import { type FuzzRequest, sampleRequests } from './request-arbitrary.ts';

/** Result of the requests. */
export interface FuzzReport {
  readonly requests: number;
  readonly byStatus: ReadonlyMap<number, number>;
  /** Every reply that violates the document, with its request, and logged failures. */
  readonly problems: readonly string[];
  /** Operations without a successful request. */
  readonly neverAnswered: readonly string[];
  readonly milliseconds: number;
}

/** Requests of each user, few enough for the rate limits even within one minute. */
const requestsEach = 25;
/** Number of concurrent requests. */
const width = 6;

interface Crowd {
  readonly members: readonly Member[];
  readonly admins: readonly Member[];
  readonly pattern: Pattern;
}

/**
 * Sends `count` generated requests and checks every reply against the service's own OpenAPI document. The requests are
 * generated from that document and sent as alternating users, with rate limits.
 */
export async function fuzzSurface(
  t: TestLifetime,
  { count, seed, log = () => undefined }: { count: number; seed: number; log?: (line: string) => void },
): Promise<FuzzReport> {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const logLines: string[] = [];
  const cloudsep = cloudConfig(await openStandInCloud(t));
  const library = await openLibrary(t, { logLines, config: { webCatalog: standIn, cloudsep } });
  const { app, context } = library;
  const pattern = await createPattern(library);
  const many = async (role: 'user' | 'admin', wanted: number) => {
    const made: Member[] = [];
    while (made.length < wanted) {
      const some = Math.min(width, wanted - made.length);
      const next = Array.from({ length: some }, () => createMember(context, pattern, role));
      made.push(...(await Promise.all(next)));
    }
    return made;
  };
  const users = Math.ceil(count / requestsEach);
  const crowd: Crowd = {
    members: await many('user', users),
    admins: await many('admin', Math.ceil(users / 8)),
    pattern,
  };
  const document = (await app.inject(openApi.path)).json<OpenApiDocument>();
  const judge = createJudge(document);
  const requests = sampleRequests(document, { count, seed, audio: await testWav({ seconds: 0.1 }) });
  log(`${requests.length} requests by ${users} users, seed ${seed}`);
  logLines.length = 0;

  const byStatus = new Map<number, number>();
  const problems: string[] = [];
  const answered = new Set<string>();
  const started = performance.now();
  let at = 0;
  const send = async () => {
    for (let i = at++; i < requests.length; i = at++) {
      const request = requests[i];
      if (!request) break;
      const options = await optionsOf(request, i, crowd);
      const reply = await app.inject(options);
      byStatus.set(reply.statusCode, (byStatus.get(reply.statusCode) ?? 0) + 1);
      if (reply.statusCode < 300) answered.add(request.operation.operationId);
      const problem = judgeSafely(() => judge(request.operation, reply), reply);
      if (problem !== null) problems.push(`${i} ${describe(options, request)}: ${problem}`);
      if ((i + 1) % 1000 === 0) log(`${i + 1} sent, ${problems.length} problems`);
    }
  };
  await Promise.all(Array.from({ length: width }, send));
  const failures = logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  const health = await app.inject('/health');
  if (health.statusCode !== 200) problems.push(`the service is not healthy: ${health.body}`);
  return {
    requests: requests.length,
    byStatus,
    problems: [...problems, ...failures.map((line) => `the log says ${line.slice(0, 600)}`)],
    neverAnswered: [...new Set(requests.map(({ operation }) => operation.operationId))].filter(
      (id) => !answered.has(id),
    ),
    milliseconds: performance.now() - started,
  };
}

async function optionsOf(request: FuzzRequest, i: number, crowd: Crowd): Promise<InjectOptions> {
  const { members, admins, pattern } = crowd;
  const some = request.caller === 'admin' ? admins : members;
  const own = some[i % some.length];
  const other = members[(i + 1) % members.length];
  if (!own || !other) throw new Error('nobody is there to ask');
  const remoteAddress = `10.1.${(i >> 8) & 255}.${i & 255}`;
  const sent = await sentOf(request, own, other);
  return {
    method: request.method as InjectOptions['method'],
    url: withIds(sent.url, own, other, pattern),
    headers: { ...sent.headers, ...headersOf(own, request.caller) },
    ...(sent.payload !== undefined && {
      payload: typeof sent.payload === 'string' ? withIds(sent.payload, own, other, pattern) : sent.payload,
    }),
    remoteAddress,
  };
}

/** Returns the request as generated, or with a record created for this request. */
async function sentOf(
  request: FuzzRequest,
  own: Member,
  other: Member,
): Promise<Pick<FuzzRequest, 'url' | 'headers' | 'payload'>> {
  const name = request.operation.operationId as keyof typeof endpointRoles;
  const { make } = endpointRoles[name];
  if (request.nearness === 'made up' || !make) return request;
  const asked = await make((request.nearness === 'thing of another' ? other : own).has);
  const spec = endpoints[name];
  const path = urlOf(`${spec.method} ${spec.path}`, asked);
  if (request.nearness === 'as it should be') {
    const query = asked.query ? `?${new URLSearchParams(asked.query).toString()}` : '';
    return { url: path + query, ...payloadOf(asked) };
  }
  const [, query] = /\?(.*)$/s.exec(request.url) ?? [];
  return { ...request, url: query === undefined ? path : `${path}?${query}` };
}

function judgeSafely(judged: () => string | null, reply: LightMyRequestResponse): string | null {
  try {
    return judged();
  } catch (error) {
    return `cannot be read (${String(error)}): ${reply.payload.slice(0, 200)}`;
  }
}

function describe(
  { method, url, headers, payload }: InjectOptions,
  { caller, operation }: FuzzRequest,
): string {
  const body = typeof payload === 'string' ? payload.slice(0, 300) : payload ? 'bytes' : 'no body';
  return `${operation.operationId} (${caller}) ${method} ${JSON.stringify(url).slice(0, 300)} ${JSON.stringify(headers)} ${JSON.stringify(body)}`;
}
