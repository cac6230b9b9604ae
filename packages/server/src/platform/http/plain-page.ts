import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';
import { mark } from './mark.ts';
import { fontFaces } from './plain-font.ts';

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const stylesheet = [fontFaces(), ...['tokens.css', 'plain-page.css', 'plain-layouts.css'].map(textOf)].join(
  '\n',
);
const stylesheetPath = '/plain-page.css';
const script = textOf('plain-page.js');
const scriptPath = '/plain-page.js';

/** Returns an address that changes with the content, so that browsers may cache the file permanently. */
function versioned(path: string, content: string): string {
  return `${path}?v=${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
}

/** Entry of a table of contents: a part of the page and its label. */
export interface ContentsEntry {
  readonly id: string;
  readonly label: string;
}

/** Content of a page of the service, which works without JavaScript. */
export interface PlainPage {
  /** Title and heading. */
  readonly title: string;
  readonly body: Html;
  /** Message about the previous action. */
  readonly flash?: string | null;
  /** Parts of a long page: it is laid out as a wide column with a table of contents on the left. */
  readonly contents?: readonly ContentsEntry[];
  /** Content beside the card: a drawing with a sentence about the product. */
  readonly beside?: Html;
  /** Page of the navigation, which is shown to users who are logged in. */
  readonly current?: 'settings' | 'api';
  /** Whether the page shows times or has a button to copy, which a small script improves. */
  readonly hasScript?: boolean;
  /** URL of an additional stylesheet. */
  readonly stylesheet?: string;
}

const pagesOfStudio = [
  { href: '/', label: 'Library' },
  { href: '/?tab=dj', label: 'DJ' },
  { href: '/?tab=jobs', label: 'Jobs' },
] as const;

const pagesOfService = [
  { href: '/users/settings', label: 'Settings', name: 'settings' },
  { href: '/api/docs', label: 'API', name: 'api' },
] as const;

function navigation(current: PlainPage['current']): Html {
  return html`<nav class="tabs" aria-label="Pages">
${pagesOfStudio.map(({ href, label }) => html`<a href="${href}">${label}</a>`)}
<span class="end">${pagesOfService.map(
    ({ href, label, name }) =>
      html`<a href="${href}"${name === current && html` aria-current="page"`}>${label}</a>`,
  )}</span>
</nav>`;
}

/** Renders a complete page in the style of the app that works without JavaScript. */
export function plainPage(page: PlainPage): Html {
  const { title, body, flash, contents, beside, current, hasScript, stylesheet: more } = page;
  const layout = contents ? 'long' : beside ? 'beside' : 'card';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>${title} · Stem Studio</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${versioned(stylesheetPath, stylesheet)}">${more && html`<link rel="stylesheet" href="${more}">`}${
    hasScript && html`<script src="${versioned(scriptPath, script)}" defer></script>`
  }
</head>
<body class="${layout}">
<header><a class="brand" href="/">${mark} Stem Studio</a>${current && navigation(current)}</header>
<div class="page">
${
  contents &&
  html`<nav class="contents" aria-label="Contents"><ul>${contents.map(
    ({ id, label }) => html`<li><a href="#${id}">${label}</a></li>`,
  )}</ul></nav>`
}
<main>
${flash && html`<p class="flash" role="status">${flash}</p>`}
<h1>${title}</h1>
${body}
</main>
${beside}
</div>
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

/** Serves the stylesheet and the script. Their URLs change with their content. */
export function mountPlainPageFiles(app: FastifyInstance): void {
  for (const [path, type, content] of [
    [stylesheetPath, 'text/css', stylesheet],
    [scriptPath, 'text/javascript', script],
  ] as const)
    app.get(path, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type(`${type}; charset=utf-8`)
        .send(content),
    );
}
