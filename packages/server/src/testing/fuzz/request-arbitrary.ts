import * as fc from 'fast-check';
import type { OpenApiDocument, OpenApiOperation } from '../../platform/http/openapi.ts';
import { type FormPart, multipart } from '../library-steps.ts';
import { brokenJson, hostileQueryValue, hostileSegment, hostileText } from './hostile-values.ts';
import { type IdKind, idText, nearlyFor, valueFor } from './schema-values.ts';

/** Authentication of a request. */
export type FuzzCaller =
  | 'token'
  | 'cookie'
  | 'cookie without CSRF token'
  | 'admin'
  | 'nobody'
  | 'wrong token';

/**
 * How similar a request is to a valid one: fully generated; for a record of the caller or of another user, with a
 * generated query and body; or valid.
 */
export type Nearness = 'made up' | 'own thing' | 'thing of another' | 'as it should be';

/** One request; ids in its address and its body are given by name (`@own:track`). */
export interface FuzzRequest {
  readonly nearness: Nearness;
  readonly operation: OpenApiOperation;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
  readonly caller: FuzzCaller;
}

const callers = fc.oneof(
  { weight: 30, arbitrary: fc.constant<FuzzCaller>('token') },
  { weight: 5, arbitrary: fc.constant<FuzzCaller>('cookie') },
  { weight: 2, arbitrary: fc.constant<FuzzCaller>('cookie without CSRF token') },
  { weight: 2, arbitrary: fc.constantFrom<FuzzCaller>('nobody', 'wrong token') },
);

const nearnesses = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Nearness>('made up') },
  { weight: 2, arbitrary: fc.constant<Nearness>('own thing') },
  { weight: 1, arbitrary: fc.constantFrom<Nearness>('thing of another', 'as it should be') },
);

const kindsByPath: readonly (readonly [RegExp, readonly IdKind[]])[] = [
  [/restore$/, ['deleted']],
  [/retry$/, ['failed']],
  [/^\/api\/jobs/, ['waiting', 'failed', 'analysis']],
  [/download\/job/, ['download']],
  [/processing\/job/, ['processing']],
  [/analysis\/job/, ['analysis']],
  [/notes\/job/, ['hearing']],
  [/^\/api\/notes|^\/export\/midi/, ['notes']],
  [/^\/api\/imports/, ['import']],
  [/stem\//, ['stem']],
  [/admin\/users/, ['user']],
];

/** Generates the path of an operation with its parameters filled in. */
function pathFor(path: string): fc.Arbitrary<string> {
  const kinds = kindsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? ['track'];
  const segment = fc.oneof(
    {
      weight: 8,
      arbitrary: path.includes('{catalog_id}') ? fc.constantFrom('@catalog:id', 'nothing') : idText(kinds),
    },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: hostileSegment },
  );
  return segment.map((text) => path.replace(/\{[a-z_]+\}/, () => text));
}

const strangeNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'page[]',
  'a.b',
  '%00',
  '%ED%A0%80',
  '',
  'x',
);

function queryFor(operation: OpenApiOperation): fc.Arbitrary<string> {
  const pairs = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema }) => {
      const fitting = valueFor(schema, name).map((value) =>
        // The names of ids are not encoded, because they are replaced by ids later.
        encodeURIComponent(String(value).toWellFormed()).replace(/%40(own|other)%3A/g, '@$1:'),
      );
      const one = fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: hostileQueryValue });
      const count = fc.oneof(
        { weight: 8, arbitrary: fc.constant(1) },
        { weight: required ? 1 : 16, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constant(2) },
      );
      return fc
        .tuple(count, one, one)
        .map(([times, ...values]) => values.slice(0, times).map((value) => `${name}=${value}`));
    });
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.tuple(strangeNames, hostileQueryValue).map((pair) => [pair.join('=')]) },
  );
  return fc.tuple(fc.tuple(...pairs), strange).map(([known, more]) => [...known.flat(), ...more].join('&'));
}

interface Body {
  readonly headers: Record<string, string>;
  readonly payload?: string | Buffer;
}

const jsonHeaders = { 'content-type': 'application/json' };
const strangeTypes = fc.constantFrom(
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json, text/html',
  'x',
  '/',
);

function jsonBodyFor(operation: OpenApiOperation): fc.Arbitrary<Body> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const asJson = (value: unknown): Body => ({ headers: jsonHeaders, payload: JSON.stringify(value) });
  const strange = fc
    .tuple(strangeTypes, brokenJson)
    .map(([type, payload]): Body => ({ headers: { 'content-type': type }, payload }));
  const broken = brokenJson.map((payload): Body => ({ headers: jsonHeaders, payload }));
  if (!schema)
    return fc.oneof(
      { weight: 10, arbitrary: fc.constant<Body>({ headers: {} }) },
      { weight: 1, arbitrary: broken },
      { weight: 1, arbitrary: strange },
    );
  return fc.oneof(
    { weight: 10, arbitrary: valueFor(schema).map(asJson) },
    { weight: 8, arbitrary: nearlyFor(schema).map(asJson) },
    { weight: 3, arbitrary: broken },
    { weight: 1, arbitrary: strange },
    { weight: 1, arbitrary: fc.constant<Body>({ headers: {} }) },
  );
}

/** Generates uploads: audio, noise, and invalid forms. */
function uploadFor(audio: Uint8Array): fc.Arbitrary<Body> {
  const bytes = fc.oneof(
    fc.constant(audio),
    fc.nat(audio.length).map((length) => audio.subarray(0, length)),
    fc.uint8Array({ maxLength: 400 }),
    fc.uint8Array({ maxLength: 40 }).map((noise) => Buffer.concat([audio.subarray(0, 60), noise])),
  );
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('song.wav', 'Ä song.mp3', '../../x.wav', 'x') },
    { weight: 1, arbitrary: hostileText.map((text) => text.replaceAll(/["\r\n]/g, '').slice(0, 300)) },
  );
  const part = fc.record(
    {
      name: fc.oneof(
        { weight: 6, arbitrary: fc.constant('file') },
        { weight: 1, arbitrary: fc.constantFrom('', 'files', '__proto__', '_csrf_token') },
      ),
      fileName: names,
      bytes,
    },
    { requiredKeys: ['name', 'bytes'] },
  );
  const whole = fc
    .oneof(
      { weight: 5, arbitrary: fc.tuple(part) },
      { weight: 2, arbitrary: fc.array(part, { maxLength: 16 }) },
    )
    .map((parts) => multipart(parts as FormPart[]));
  const spoilt = fc
    .tuple(whole, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([form, at, noise]) => {
      const offset = at % (form.payload.length + 1);
      const payload = Buffer.concat([
        form.payload.subarray(0, offset),
        noise,
        form.payload.subarray(offset + 30),
      ]);
      return { ...form, payload };
    });
  const cut = fc
    .tuple(whole, fc.nat())
    .map(([form, at]) => ({ ...form, payload: form.payload.subarray(0, at % (form.payload.length + 1)) }));
  const strange = fc
    .tuple(strangeTypes, fc.string({ maxLength: 60 }))
    .map(([type, payload]): Body => ({ headers: { 'content-type': type }, payload }));
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 2, arbitrary: spoilt },
    { weight: 2, arbitrary: cut },
    { weight: 2, arbitrary: strange },
  );
}

const sometimes = (name: string, value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant<Record<string, string>>({}) },
    { weight: 1, arbitrary: value.map((text): Record<string, string> => ({ [name]: text })) },
  );

/** Headers that some endpoints read and all must accept. */
const headers = fc
  .tuple(
    sometimes(
      'idempotency-key',
      fc.constantFrom('one', 'two', 'k'.repeat(255), 'k'.repeat(256), '', 'a b', 'ä'),
    ),
    sometimes(
      'range',
      fc.constantFrom('bytes=0-9', 'bytes=-1', 'bytes=9-0', 'bytes=99999999-', 'x', 'bytes=0-,-1'),
    ),
    sometimes('if-none-match', fc.constantFrom('*', '"x"', 'W/"x", "y"', '"')),
    sometimes('x-forwarded-for', fc.constantFrom('127.0.0.1', "'", 'x'.repeat(500))),
  )
  .map((some): Record<string, string> => Object.assign({}, ...some) as Record<string, string>);

/** Returns an authentication with which an operation can be called. */
function likelyCaller({ tags, security }: OpenApiOperation): FuzzCaller {
  if (tags.includes('admin')) return 'admin';
  return security.length > 0 && security.every((way) => 'cookie' in way) ? 'cookie' : 'token';
}

/** Returns a valid request of an operation. */
const rightRequest = (path: string, method: string, operation: OpenApiOperation): FuzzRequest => ({
  nearness: 'as it should be',
  operation,
  method: method.toUpperCase(),
  url: path,
  headers: {},
  caller: likelyCaller(operation),
});

/** Generates requests of one operation of the OpenAPI document, from valid to invalid. */
function requestsFor(
  path: string,
  method: string,
  operation: OpenApiOperation,
  audio: Uint8Array,
): fc.Arbitrary<FuzzRequest> {
  const isUpload = operation.requestBody?.content['multipart/form-data'] !== undefined;
  const body = isUpload
    ? uploadFor(audio)
    : method === 'get'
      ? fc.constant<Body>({ headers: {} })
      : jsonBodyFor(operation);
  // Most requests are sent by a caller with the required role.
  const likely = likelyCaller(operation);
  const caller =
    likely === 'token'
      ? callers
      : fc.oneof({ weight: 4, arbitrary: fc.constant(likely) }, { weight: 1, arbitrary: callers });
  return fc
    .tuple(pathFor(path), queryFor(operation), body, headers, caller, nearnesses)
    .map(([filled, query, sent, more, who, nearness]) => ({
      nearness,
      operation,
      method: method.toUpperCase(),
      url: query === '' ? filled : `${filled}?${query}`,
      headers: { ...more, ...sent.headers },
      ...(sent.payload !== undefined && { payload: sent.payload }),
      caller: who,
    }));
}

/** Returns `count` requests from a seed, distributed evenly over all operations, and one valid request of each. */
export function sampleRequests(
  document: OpenApiDocument,
  { count, seed, audio }: { readonly count: number; readonly seed: number; readonly audio: Uint8Array },
): FuzzRequest[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      right: rightRequest(path, method, operation),
      made: requestsFor(path, method, operation, audio),
    })),
  );
  const each = Math.ceil(count / operations.length);
  const samples = operations.map(({ right, made }, i) => [
    right,
    ...fc.sample(made, { numRuns: each, seed: seed + i }),
  ]);
  // The operations alternate.
  return Array.from({ length: each + 1 }, (_, i) => samples.flatMap((some) => some.slice(i, i + 1))).flat();
}
