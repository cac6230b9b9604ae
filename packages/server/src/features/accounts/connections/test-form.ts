import { form } from '../../../platform/http/form-fields.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import type { ConnectionRow } from '../../connections/index.ts';
import { csrfTokenFor } from '../csrf.ts';
import type { Exchange } from '../exchange.ts';

/** Path of the form that tests a connection; the field `kind` names it. */
export const testPath = '/users/settings/connections';

/** Renders the button that tests a connection. `name` distinguishes it from other Test buttons for screen readers. */
export function testForm(
  exchange: Exchange,
  viewer: Viewer,
  kind: ConnectionRow['kind'],
  name: string,
): Html {
  return form({
    action: testPath,
    csrfToken: csrfTokenFor(exchange, viewer),
    fields: [html`<input type="hidden" name="kind" value="${kind}">`],
    submit: 'Test',
    submitLabel: `Test ${name}`,
  });
}
