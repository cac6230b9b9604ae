import { escapeHtml } from '../../platform/http/html.ts';

/**
 * Replaces the content of the page's `<meta name="…" content="…">` elements by `values`. Throws if one is missing,
 * since page and service must agree on the transferred values.
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
