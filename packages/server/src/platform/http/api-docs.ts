import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Html, html } from './html.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './openapi.ts';
import type { JsonSchema } from './openapi-example.ts';
import { plainPage } from './plain-page.ts';

const stylesheet = readFileSync(new URL('api-docs.css', import.meta.url), 'utf8');
const stylesheetPath = '/api-docs.css';
const stylesheetUrl = `${stylesheetPath}?v=${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}`;

/** Serves the stylesheet of the page. Its URL changes with its content, so browsers may cache it permanently. */
export function mountApiDocsStylesheet(app: FastifyInstance): void {
  app.get(stylesheetPath, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/css; charset=utf-8')
      .send(stylesheet),
  );
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Renders the OpenAPI document as an HTML page without scripts and external resources. */
export function apiDocsPage(document: OpenApiDocument, address: string): Html {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const parts = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter((entry) => entry.operation.tags.includes(tag.name)),
  }));
  return plainPage({
    title: 'API',
    current: 'api',
    contents: parts.map(({ name, description }) => ({ id: `group-${name}`, label: description })),
    stylesheet: stylesheetUrl,
    body: html`<section>
<p>${document.info.description} For programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<p>Create a key under <a href="/users/settings#api-keys">Settings</a> and send it with every request:
<code>Authorization: Bearer sst_…</code>. Success is <code>{"data": …}</code>, an error
<code>{"error": sentence, "code": CODE}</code>. Every response says how many requests are left:
<code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code>, <code>X-RateLimit-Reset</code>.</p>
</section>
${parts.map(
  (part) => html`<section id="group-${part.name}">
<details class="group"><summary><h2>${part.description}</h2> <span class="count">${countText(part.entries.length)}</span></summary>
${part.entries.map((entry) => endpointDetails(entry, address))}
</details>
</section>`,
)}`,
  });
}

function countText(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`;
}

function endpointDetails({ method, path, operation }: Entry, address: string): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return html`<details class="endpoint" id="${operationId}">
<summary><span class="method">${method}</span> <code>${path}</code> <span class="about">${summary}</span></summary>
<p>${summary}. ${description}</p>
<p class="note">${accessOf(operation)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>${table(['name', 'in', 'type', 'what'], parameters.map(parameterRow))}`}
${
  requestBody &&
  Object.entries(requestBody.content).map(
    ([type, { schema }]) =>
      html`<h3>Body <span class="note">${type}</span></h3>${table(
        ['field', 'type', 'what'],
        Object.entries(schema.properties ?? {}).map(([name, field]) => [
          html`<code>${name}</code>`,
          typeOf(field),
          noteOf(field, (schema['required'] as string[] | undefined)?.includes(name) ?? false),
        ]),
      )}`,
  )
}
<h3>Example</h3>
<pre tabindex="0"><code>${curlOf(method, path, operation, address)}</code></pre>
<h3>Replies</h3>
${table(
  ['status', 'what', 'type'],
  Object.entries(responses).map(([status, response]) => [
    html`<code>${status}</code>`,
    withCode(response.description),
    Object.keys(response.content ?? {}).join(', '),
  ]),
)}
${successExample(responses)}
</details>`;
}

function accessOf({ security }: OpenApiOperation): string {
  if (security.length === 0) return 'For everybody, without a login.';
  return security.some((one) => 'bearer' in one)
    ? 'With an API key, or with the login cookie.'
    : 'With the login cookie only.';
}

/** Renders a table with a header row that scrolls horizontally on narrow pages. */
function table(
  headings: readonly string[],
  rows: readonly (readonly (Html | string | null | undefined)[])[],
): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${headings.join(', ')}"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

function parameterRow(parameter: OpenApiParameter): (Html | string)[] {
  const note = noteOf(parameter.schema, parameter.required);
  return [
    html`<code>${parameter.name}</code>`,
    parameter.in,
    typeOf(parameter.schema),
    [parameter.description, note].filter(Boolean).join('; '),
  ];
}

/** Returns a short name for the type of a schema. */
function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map(String).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' | ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  const type = schema.type ?? 'anything';
  return schema.format ?? (typeof type === 'string' ? type : type.join(' | '));
}

function noteOf(schema: JsonSchema, isRequired: boolean): string {
  const bounds = (
    [
      ['from', schema.minimum],
      ['to', schema.maximum],
      ['at least characters:', schema.minLength],
      ['at most characters:', schema.maxLength],
    ] as const
  ).flatMap(([word, value]) =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? [] : [`${word} ${value}`],
  );
  const fallback = 'default' in schema ? [`${JSON.stringify(schema['default'])} unless given`] : [];
  return [isRequired ? 'required' : '', ...fallback, ...bounds].filter(Boolean).join(', ');
}

/** Renders text with code in backticks as HTML. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Returns a curl command that calls the endpoint. */
function curlOf(method: string, path: string, operation: OpenApiOperation, address: string): string {
  const filled = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const needed = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  const body = operation.requestBody?.content ?? {};
  const json = body['application/json'];
  const isBinary = !operation.responses['204'] && !operation.responses['200']?.content?.['application/json'];
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`}${isBinary ? ' -OJ' : ''} '${address}${filled}${query && `?${query}`}'`,
    operation.security.length > 0 && `-H 'Authorization: Bearer sst_…'`,
    json && `-H 'Content-Type: application/json'`,
    json && `-d '${JSON.stringify(json.example)}'`,
    'multipart/form-data' in body && '-F file=@song.wav',
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

function successExample(responses: OpenApiOperation['responses']): Html | null {
  const success: OpenApiResponse | undefined = responses['201'] ?? responses['200'];
  const example = success?.content?.['application/json']?.example;
  if (example === undefined) return null;
  return html`<details><summary>A reply</summary><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`;
}
