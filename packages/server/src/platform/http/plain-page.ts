import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

const stylesheet = ['tokens.css', 'plain-page.css']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n');
const stylesheetPath = '/plain-page.css';
const version = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12);

/** Content of a page without JavaScript. */
export interface PlainPage {
  /** Title and heading. */
  readonly title: string;
  readonly body: Html;
  /** Message about the previous action. */
  readonly flash?: string | null;
  /** Whether the page has a wide layout, for lists and several forms. */
  readonly wide?: boolean;
  /** URL of an additional stylesheet. */
  readonly stylesheet?: string;
}

/** Renders a complete page in the app's style that works without JavaScript. */
export function plainPage({ title, body, flash, wide, stylesheet: more }: PlainPage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>${title} · Stem Studio</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetPath}?v=${version}">${more && html`<link rel="stylesheet" href="${more}">`}
</head>
<body${wide && html` class="wide"`}>
<header><a href="/">Stem Studio</a></header>
<main>
${flash && html`<p class="flash" role="status">${flash}</p>`}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** Sends a page that must not be cached. */
export function sendPlainPage(reply: FastifyReply, status: number, page: PlainPage): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(plainPage(page).text);
}

/** Serves the stylesheet. Its URL changes with its content, so browsers may cache it permanently. */
export function mountStylesheet(app: FastifyInstance): void {
  app.get(stylesheetPath, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/css; charset=utf-8')
      .send(stylesheet),
  );
}
