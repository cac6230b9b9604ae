/** HTML that is safe to send: all inserted values are escaped or were HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** Value of an {@link html} template. `null`, `undefined` and `false` render nothing; lists are concatenated. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(render).join('');
}

/**
 * Template tag for HTML: `` html`<p title="${title}">${lines}</p>` ``. Escapes every value that is not {@link Html}.
 * Attributes must be quoted. Never put a value into a script, a style or an unquoted attribute.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? '';
  values.forEach((value, i) => {
    text += render(value) + (parts[i + 1] ?? '');
  });
  return new Html(text);
}

/** Marks text as HTML without escaping. Only for text from this code base, never for external input. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}
