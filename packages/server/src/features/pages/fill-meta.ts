import { escapeHtml } from '../../platform/http/html.ts';

/**
 * `page` with the content of its `<meta name="…" content="…">` elements replaced by `values`. Throws when one is
 * missing: the page and the service must agree on what is handed over.
 */
export function fillMeta(page: string, values: Readonly<Record<string, string>>): string {
  let filled = page;
  for (const [name, value] of Object.entries(values)) {
    const pattern = new RegExp(`<meta name="${name}" content="[^"]*"\\s*/?>`);
    if (!pattern.test(filled)) throw new Error(`the built page has no <meta name="${name}" content="">`);
    filled = filled.replace(pattern, () => `<meta name="${name}" content="${escapeHtml(value)}">`);
  }
  return filled;
}
