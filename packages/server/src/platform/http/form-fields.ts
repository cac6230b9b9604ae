import { type Html, html } from './html.ts';

/** Input with its label, a hint and its validation errors. */
export interface Field {
  /** Name in the form. */
  readonly name: string;
  /** Default: derived from the name. */
  readonly id?: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  /** @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
  readonly autocomplete: string;
  /** Initial value. Ignored for passwords, which are never sent back. */
  readonly value?: string;
  readonly hint?: string;
  readonly errors?: readonly string[] | undefined;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Renders a field. Label and messages are associated with the input for screen readers. */
export function field(of: Field): Html {
  const id = of.id ?? of.name.replace(/\W+/g, '-').replace(/-$/, '');
  const isWrong = (of.errors?.length ?? 0) > 0;
  const notes = [of.hint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${id}">${of.label}</label>
<input id="${id}" name="${of.name}" type="${of.type}" autocomplete="${of.autocomplete}" required${
    of.type !== 'password' && of.value ? html` value="${of.value}"` : null
  }${of.minLength && html` minlength="${of.minLength}"`}${of.maxLength && html` maxlength="${of.maxLength}"`}${
    of.type === 'text' ? null : html` autocapitalize="none" spellcheck="false"`
  }${notes && html` aria-describedby="${notes}"`}${isWrong && html` aria-invalid="true"`}>
${of.hint && html`<p class="hint" id="${id}-hint">${of.hint}</p>`}
${isWrong && html`<p class="error" id="${id}-error">${of.label} ${of.errors?.join('; ')}.</p>`}
</div>`;
}

/** Renders a checkbox with its label. A browser sends it as `on` if it is checked, and omits it otherwise. */
export function checkbox(of: { name: string; id?: string; label: string; isChecked: boolean }): Html {
  const id = of.id ?? of.name.replace(/\W+/g, '-').replace(/-$/, '');
  return html`<label class="choice" for="${id}"><input type="checkbox" id="${id}" name="${of.name}"${of.isChecked && html` checked`}> ${of.label}</label>`;
}

/** Renders a POST form with the CSRF token and, if given, a method that HTML forms do not support. */
export function form(of: {
  action: string;
  csrfToken: string;
  method?: 'PUT' | 'DELETE';
  fields: readonly Html[];
  submit: string;
  /** Look of the button: `primary` for the main action of a page, at most one in a section; `danger` if it cannot be undone. */
  look?: 'primary' | 'danger';
  /** Accessible name of the button, to distinguish it from others with the same text. */
  submitLabel?: string;
}): Html {
  return html`<form method="post" action="${of.action}">
<input type="hidden" name="_csrf_token" value="${of.csrfToken}">
${of.method && html`<input type="hidden" name="_method" value="${of.method.toLowerCase()}">`}
${of.fields}
<button type="submit"${of.look && html` class="${of.look}"`}${
    of.submitLabel && html` aria-label="${of.submitLabel}"`
  }>${of.submit}</button>
</form>`;
}

/** Renders an error message that concerns the whole form. */
export function alertOf(sentence: string | null | undefined): Html | null {
  return sentence ? html`<p class="alert" role="alert">${sentence}</p>` : null;
}
