import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { type ErrorCode, errorBody, errorCodes } from '@stem-studio/contract/errors';
import { rateLimits } from '@stem-studio/contract/limits';
import { z } from 'zod';

type JsonObject = Record<string, unknown>;

/** Codes that any endpoint may answer with, by how it is called. */
function codesOf(spec: EndpointSpec): ErrorCode[] {
  const codes: ErrorCode[] = ['BAD_REQUEST', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];
  if (spec.auth !== 'none') codes.push('UNAUTHORIZED');
  if (spec.auth !== 'none' && (spec.method !== 'GET' || spec.role)) codes.push('FORBIDDEN');
  if (spec.params) codes.push('NOT_FOUND');
  if (spec.query || spec.body || spec.bodyKind) codes.push('VALIDATION_ERROR');
  return [...new Set([...codes, ...(spec.errors ?? [])])];
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return rest;
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!schema) return [];
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: JsonObject;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required ?? []).includes(name),
    schema: property,
  }));
}

function bodyOf(spec: EndpointSpec): JsonObject | undefined {
  if (spec.bodyKind === 'multipart') {
    const file = { type: 'string', format: 'binary' };
    const schema = { type: 'object', properties: { file }, required: ['file'] };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (!spec.body) return undefined;
  const type = spec.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: true, content: { [type]: { schema: schemaOf(spec.body, 'input') } } };
}

const rateHeaders = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Requests that the window allows'],
    ['X-RateLimit-Remaining', 'Requests left in the window'],
    ['X-RateLimit-Reset', 'End of the window in epoch seconds'],
  ].map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
);

/** What a success carries: bytes of some media type, JSON of a schema, or nothing. */
function contentOf(spec: EndpointSpec): JsonObject | undefined {
  if (spec.replyTypes) return Object.fromEntries(spec.replyTypes.map((type) => [type, {}]));
  return spec.reply && { 'application/json': { schema: schemaOf(spec.reply, 'output') } };
}

function responsesOf(spec: EndpointSpec): JsonObject {
  const content = contentOf(spec);
  const success = { description: 'Success', headers: rateHeaders, ...(content && { content }) };
  const responses: JsonObject = { [spec.status]: success };
  // Nothing new was created.
  if (spec.status === 201) responses['200'] = success;
  const codes = codesOf(spec);
  for (const status of new Set(codes.map((code) => errorCodes[code])).values()) {
    const names = codes.filter((code) => errorCodes[code] === status);
    responses[status] = {
      description: names.map((name) => `\`${name}\``).join(', '),
      headers: rateHeaders,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

/** The part of the service that a path belongs to: `tracks` of `/api/tracks/:id`, `export` of `/export/stem/:id`. */
function tagOf(path: string): string {
  const [, first = '', second = 'service'] = path.split('/');
  return first === 'api' || second === 'service' ? second : first;
}

function operationOf(spec: EndpointSpec): JsonObject {
  const limit = spec.limit && rateLimits[spec.limit];
  const requestBody = bodyOf(spec);
  return {
    summary: spec.summary,
    ...(limit && { description: `At most ${limit.requests} requests in ${limit.seconds} s.` }),
    tags: [tagOf(spec.path)],
    security:
      spec.auth === 'none'
        ? []
        : spec.auth === 'cookie'
          ? [{ cookie: [] }]
          : [{ bearer: [] }, { cookie: [] }],
    parameters: [...parametersOf(spec.params, 'path'), ...parametersOf(spec.query, 'query')],
    ...(requestBody && { requestBody }),
    responses: responsesOf(spec),
  };
}

/**
 * The service described by itself: made from the schemas that validate, with what is mounted and nothing else.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument(endpoints: readonly EndpointSpec[], serverUrl: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const spec of endpoints) {
    const path = spec.path.replace(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(spec) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stem Studio',
      version: '0.1.0',
      description: 'Import music, separate it into stems, analyse it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token from the settings page' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'stem_studio_session',
          description: 'The login cookie; what changes state also needs the header x-csrf-token',
        },
      },
    },
  };
}
