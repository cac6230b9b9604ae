/** HTML that is safe to send: every value in it has been escaped, or was HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What may stand in an {@link html} template. `null`, `undefined` and `false` leave nothing; lists are joined. */
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
 * HTML as a template: `` html`<p title="${title}">${lines}</p>` ``. Every value is escaped unless it is {@link Html};
 * attributes must be quoted. Never put a value into a script, a style or an unquoted attribute.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? '';
  values.forEach((value, i) => {
    text += render(value) + (parts[i + 1] ?? '');
  });
  return new Html(text);
}

/** Takes text for HTML as it stands. Only for text of our own making, never for anything that came from outside. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}
