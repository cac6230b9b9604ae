import { errorBody } from '@stem-studio/contract/errors';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';
import type { OpenApiDocument, OpenApiOperation } from '../../platform/http/openapi.ts';

/** Returns what is wrong with a reply, or null. */
export type Judge = (operation: OpenApiOperation, reply: LightMyRequestResponse) => string | null;

/** Text that no error may contain: stacks, file paths, database messages. */
const leaks =
  /\n\s+at |node_modules|file:\/\/\/[a-z]+\/|\.ts:\d|\/tmp\/|insert into |select .* from |violates|syntax error at|relation "|column "|duplicate key|invalid byte sequence|ECONN|ENOENT/i;

/**
 * Creates a function that checks replies against the OpenAPI document alone, as a client in another language would. The
 * operation must list the status, and headers and body must match its description.
 */
export function createJudge(document: OpenApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = ajv.compile({ ...schema, components: document['components'] });
    compiled.set(schema, made);
    return made;
  };
  return (operation, reply) => {
    const { statusCode, headers, payload } = reply;
    for (const name of ['limit', 'remaining', 'reset'])
      if (!/^\d+$/.test(String(headers[`x-ratelimit-${name}`]))) return `has no X-RateLimit header "${name}"`;
    if (headers['x-content-type-options'] !== 'nosniff') return 'has no headers of security';
    const response = operation.responses[statusCode];
    if (!response)
      return `has the status ${statusCode}, which the document does not name: ${payload.slice(0, 300)}`;
    if (statusCode === 500) return `is a failure: ${payload}`;
    if (statusCode === 204 || statusCode === 304) return payload === '' ? null : 'has a body';
    const type = String(headers['content-type']).split(';', 1)[0] ?? '';
    const content = response.content?.[type];
    if (!content) return `is ${type}, which the document does not name for ${statusCode}`;
    if (statusCode >= 400) return judgeError(statusCode, reply);
    if (type !== 'application/json' || !content.schema) return null;
    const validate = validatorOf(content.schema);
    return validate(reply.json()) ? null : `does not fit its schema: ${ajv.errorsText(validate.errors)}`;

    function judgeError(status: number, refused: LightMyRequestResponse): string | null {
      const body: unknown = refused.json();
      const error = errorBody.safeParse(body);
      if (!error.success) return `has no error envelope: ${payload}`;
      if (leaks.test(payload)) return `reveals internals: ${payload}`;
      if (status === 422 && !error.data.details) return '422 has no details';
      if ((status === 429 || status === 503) && error.data.retry_after === undefined)
        return 'has no retry_after';
      const validate = validatorOf(content?.schema ?? {});
      return validate(body) ? null : `does not fit its schema: ${ajv.errorsText(validate.errors)} ${payload}`;
    }
  };
}
