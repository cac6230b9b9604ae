import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { type ErrorCode, errorCodes } from '@stem-studio/contract/error-codes';
import { errorBody } from '@stem-studio/contract/errors';
import { rateLimits } from '@stem-studio/contract/limits';
import { apiScopes } from '@stem-studio/contract/scopes';
import { endpoints } from '@stem-studio/contract/service';
import { z } from 'zod';
import { releaseVersion } from '../release-version.ts';
import { exampleOf, type JsonSchema } from './openapi-example.ts';

/** Response of an operation. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;
}

/** Parameter in the path, the query or the headers. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** Operation of one endpoint. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** OpenAPI document. */
export interface OpenApiDocument {
  readonly [name: string]: unknown;
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

const tagNotes: Readonly<Record<string, string>> = {
  service: 'Service',
  health: 'Health',
  account: 'Account',
  catalog: 'Catalog search and import',
  download: 'Downloads of single tracks',
  uploads: 'Uploads',
  imports: 'Imports of albums and playlists',
  processing: 'Stem separation',
  cloudsep: 'Cloud separation',
  analysis: 'Tempo, key, beats, chords, sections and features',
  cues: 'Cue points',
  notes: 'Transcription to MIDI',
  tracks: 'Library',
  crates: 'Crates',
  projects: 'Projects of the editor and their edit operations',
  daw: 'Exports of the editor',
  history: 'History of played tracks',
  trash: 'Trash',
  jobs: 'Jobs',
  export: 'Exports',
  mixes: 'Mixes as the player plays them',
  admin: 'Administration',
};

/** Returns the error codes of an endpoint: its own codes, and those that result from how it is called. */
export function codesOf(spec: EndpointSpec): ErrorCode[] {
  const codes: ErrorCode[] = ['BAD_REQUEST', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];
  if (spec.auth !== 'none') codes.push('UNAUTHORIZED');
  if (spec.scope || (spec.auth !== 'none' && spec.method !== 'GET')) codes.push('FORBIDDEN');
  if (spec.params) codes.push('NOT_FOUND');
  if (spec.query || spec.body || spec.bodyKind) codes.push('VALIDATION_ERROR');
  // Also for endpoints without a body: a body that is sent anyway is measured before it is discarded.
  if (spec.method !== 'GET') codes.push('PAYLOAD_TOO_LARGE');
  if (spec.answersOnce) codes.push('IDEMPOTENCY_KEY_REUSED');
  return [...new Set([...codes, ...(spec.errors ?? [])])];
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return rest as JsonSchema;
}

function parametersOf(spec: EndpointSpec): OpenApiParameter[] {
  const fieldsByLocation = [
    ['path', spec.params],
    ['query', spec.query],
  ] as const;
  const parameters: OpenApiParameter[] = fieldsByLocation.flatMap(([location, fields]) => {
    if (!fields) return [];
    const { properties, required } = schemaOf(fields, 'input') as JsonSchema & { required?: string[] };
    return Object.entries(properties ?? {}).map(([name, schema]) => ({
      name,
      in: location,
      required: location === 'path' || (required ?? []).includes(name),
      schema,
      example: exampleOf(schema, name),
    }));
  });
  if (spec.answersOnce)
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same request with the same key gets the first reply again for 24 hours',
      schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    });
  if (spec.auth !== 'none' && spec.method !== 'GET')
    parameters.push({
      name: 'x-csrf-token',
      in: 'header',
      required: false,
      description: 'Needed with the login cookie; a token needs none',
      schema: { type: 'string' },
    });
  return parameters;
}

function bodyOf(spec: EndpointSpec): OpenApiOperation['requestBody'] {
  if (spec.bodyKind === 'multipart') {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const kinds = { text: { type: 'string' }, file, files: { type: 'array', items: file } };
    const parts = Object.entries(spec.parts ?? { file: 'file' as const });
    const properties = Object.fromEntries(parts.map(([name, kind]) => [name, kinds[kind]]));
    const schema = { type: 'object', properties, required: Object.keys(properties) };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (!spec.body) return undefined;
  const type = spec.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const schema = schemaOf(spec.body, 'input');
  return { required: true, content: { [type]: { schema, example: exampleOf(schema) } } };
}

const whole = { type: 'integer' };
const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Requests that the window allows', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests left in the window', schema: whole },
  'X-RateLimit-Reset': { description: 'End of the window in epoch seconds', schema: whole },
};
const retryAfter = {
  'Retry-After': { description: 'Seconds until the next request can succeed', schema: whole },
};
const replayed = {
  'Idempotent-Replayed': {
    description: '`true` if this is the stored reply to the first request',
    schema: { type: 'string' },
  },
};

/** Returns the content of a success response: bytes of a media type, JSON of a schema, or nothing. */
function contentOf(spec: EndpointSpec): OpenApiResponse['content'] {
  if (spec.replyTypes) return Object.fromEntries(spec.replyTypes.map((type) => [type, {}]));
  if (!spec.reply) return undefined;
  const schema = schemaOf(spec.reply, 'output');
  return { 'application/json': { schema, example: exampleOf(schema) } };
}

function refusalOf(status: number, codes: readonly ErrorCode[]): OpenApiResponse {
  const [code] = codes;
  const example = {
    error: 'what went wrong, and what to do about it',
    code,
    ...(status === 422 && { details: code === 'VALIDATION_ERROR' ? { field: ['is required'] } : {} }),
    ...((status === 429 || status === 503) && { retry_after: 12 }),
  };
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: [...codes] } } }],
  };
  return {
    description: codes.map((name) => `\`${name}\``).join(', '),
    headers: {
      ...rateHeaders,
      ...((status === 429 || status === 503) && retryAfter),
      ...(status === 401 && {
        'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
      }),
    },
    content: { 'application/json': { schema, example } },
  };
}

function responsesOf(spec: EndpointSpec): Record<string, OpenApiResponse> {
  const content = contentOf(spec);
  const headers = { ...rateHeaders, ...(spec.answersOnce && replayed) };
  const success = (description: string) => ({ description, headers, ...(content && { content }) });
  const responses: Record<string, OpenApiResponse> = {
    [spec.status]: success(
      spec.status === 201 ? 'Created' : spec.status === 204 ? 'Done; no body' : 'Success',
    ),
  };
  if (spec.status === 201) responses['200'] = success('Nothing was created: it existed already');
  const hasRanges = spec.errors?.includes('RANGE_NOT_SATISFIABLE') ?? false;
  if (hasRanges) {
    responses['206'] = success('The part that `Range` asks for');
    responses['304'] = { description: 'Not changed since `If-None-Match`', headers: rateHeaders };
  }
  const codes = codesOf(spec);
  for (const status of new Set(codes.map((code) => errorCodes[code])).values()) {
    responses[status] = refusalOf(
      status,
      codes.filter((code) => errorCodes[code] === status),
    );
  }
  return responses;
}

/** Returns the tag of a path: `tracks` for `/api/tracks/:id`, `export` for `/export/stem/:id`. */
function tagOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  if (['', 'openapi.json', 'docs'].includes(second)) return 'service';
  return first === 'api' ? second : first;
}

const bearerNotes = `An API key from the settings page, with scopes: ${apiScopes.map((name) => `\`${name}\``).join(', ')}. Writing includes reading; \`read\` and \`write\` hold for every part. The names in an operation's security requirement are the scopes it needs.`;

const namesOf = new Map<EndpointSpec, string>(Object.entries(endpoints).map(([name, spec]) => [spec, name]));

function operationOf(spec: EndpointSpec): OpenApiOperation {
  const limit = spec.limit && rateLimits[spec.limit];
  const requestBody = bodyOf(spec);
  const notes = [
    spec.role && `Only for the role \`${spec.role}\` and above.`,
    spec.scope && `An API key needs the scope \`${spec.scope}\`.`,
    limit && `At most ${limit.requests} requests in ${limit.seconds} s, beside the general limit.`,
  ].filter(Boolean);
  return {
    operationId: namesOf.get(spec) ?? `${spec.method} ${spec.path}`,
    summary: spec.summary,
    description: notes.join(' '),
    tags: [tagOf(spec.path)],
    security:
      spec.auth === 'none'
        ? []
        : spec.auth === 'cookie'
          ? [{ cookie: [] }]
          : [{ bearer: spec.scope ? [spec.scope] : [] }, { cookie: [] }],
    parameters: parametersOf(spec),
    ...(requestBody && { requestBody }),
    responses: responsesOf(spec),
  };
}

/**
 * Generates the OpenAPI document from the schemas of the mounted endpoints.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument(specs: readonly EndpointSpec[], serverUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const spec of specs) {
    const path = spec.path.replace(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(spec) };
  }
  const tags = [...new Set(specs.map((spec) => tagOf(spec.path)))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stem Studio',
      version: releaseVersion,
      description: 'Import music, separate it into stems, analyse it.',
      license: { name: 'MIT', identifier: 'MIT' },
    } as OpenApiDocument['info'],
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name, description: tagNotes[name] ?? name })),
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: bearerNotes },
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
