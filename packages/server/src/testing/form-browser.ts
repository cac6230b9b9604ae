import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** A form of a page: its action and its hidden fields. */
export interface FoundForm {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** A browser without JavaScript, for tests: it stores cookies and submits the forms of pages. */
export class FormBrowser {
  readonly cookies = new Map<string, string>();
  /** Complete `Set-Cookie` lines of the last reply. */
  setCookies: readonly string[] = [];
  readonly #app: FastifyInstance;
  readonly #host: string;

  /** @param host host name in the requests */
  constructor(app: FastifyInstance, host = 'localhost:80') {
    this.#app = app;
    this.#host = host;
  }

  /** Sends a request as a browser does and stores the received cookies. */
  async request(options: InjectOptions): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await this.#app.inject({
      ...options,
      headers: { host: this.#host, accept: 'text/html', ...(cookie && { cookie }), ...options.headers },
    });
    const lines = reply.headers['set-cookie'] ?? [];
    this.setCookies = typeof lines === 'string' ? [lines] : lines;
    for (const line of this.setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }

  /** Opens a page. */
  get(url: string): Promise<LightMyRequestResponse> {
    return this.request({ method: 'GET', url });
  }

  /** Sends fields as a form does. */
  post(url: string, fields: Readonly<Record<string, string>>): Promise<LightMyRequestResponse> {
    return this.request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
  }

  /** Fills in a form of a page and submits it. */
  submit(form: FoundForm, typed: Readonly<Record<string, string>> = {}): Promise<LightMyRequestResponse> {
    return this.post(form.action, { ...form.hidden, ...typed });
  }
}

/** Returns the first form of a page with this `action` and the hidden fields of `having`. Throws if there is none. */
export function formOn(
  page: string,
  action: string,
  having: Readonly<Record<string, string>> = {},
): FoundForm {
  for (const [, target = '', body = ''] of page.matchAll(
    /<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/g,
  )) {
    const hidden: Record<string, string> = {};
    for (const [, name = '', value = ''] of body.matchAll(
      /<input type="hidden" name="([^"]*)" value="([^"]*)">/g,
    ))
      hidden[name] = value;
    const fits = Object.entries(having).every(([name, value]) => hidden[name] === value);
    if (fits && target.split('#')[0] === action) return { action: target.split('#')[0] ?? '', hidden };
  }
  throw new Error(`the page has no form that goes to ${action}`);
}
