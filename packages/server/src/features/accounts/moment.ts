import { type Html, html } from '../../platform/http/html.ts';

/** Renders a time for pages without JavaScript: to the minute, in UTC. */
export function moment(date: Date): Html {
  const iso = date.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
