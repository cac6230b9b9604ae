import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { testCloudKey } from '../../cloudsep/index.ts';
import type { ConnectionRow, ConnectionTest } from '../../connections/index.ts';
import { catalogSection } from '../catalog-login/catalog-section.ts';
import { testCatalogAccount } from '../catalog-login/catalog-token.service.ts';
import { type CloudKeyState, cloudSection } from '../cloud-key/cloud-key.pages.ts';
import { countPasswordAttempt } from '../count-attempt.ts';
import type { Exchange, PageExchange } from '../exchange.ts';
import { type Flash, leaveFlash } from '../flash.ts';
import { loggedIn, mountForm } from '../page-routes.ts';
import { testPath } from './test-form.ts';

const settingsPath = '/users/settings';

const tests: Readonly<
  Record<ConnectionRow['kind'], (context: Context, userId: number) => Promise<ConnectionTest>>
> = { web_catalog: testCatalogAccount, cloud_separation: testCloudKey };

const flashes: Readonly<Record<ConnectionTest, Flash>> = {
  works: 'connection-works',
  refused: 'connection-refused',
  unreachable: 'connection-unreachable',
  none: 'connection-missing',
};

/** Renders the user's connections to other services: the catalog account and the cloud service key. */
export async function connectionsSection(
  exchange: Exchange,
  viewer: Viewer,
  cloudKey: CloudKeyState,
): Promise<Html> {
  return html`<section id="connections">
<h2>Connections</h2>
${await catalogSection(exchange, viewer)}
${await cloudSection(exchange, viewer, cloudKey)}
</section>`;
}

/**
 * Mounts the form that tests a connection.
 *
 * @param show renders the settings page with errors
 */
export function mountConnectionForms(
  app: FastifyInstance,
  context: Context,
  show: (exchange: PageExchange, viewer: Viewer, status: number, alert: string) => Promise<FastifyReply>,
): void {
  mountForm(app, context, testPath, {
    POST: loggedIn(settingsPath, async (exchange, viewer) => {
      const kind = exchange.fields['kind'] ?? '';
      if (!isKind(kind)) throw notFound('connection');
      // Each test sends a request to another service.
      const wait = await countPasswordAttempt(exchange, viewer.id);
      if (wait) return await show(exchange, viewer, 429, wait);
      leaveFlash(exchange, flashes[await tests[kind](context, viewer.id)]);
      return exchange.reply.redirect(`${settingsPath}#connections`, 303);
    }),
  });
}

function isKind(kind: string): kind is ConnectionRow['kind'] {
  return Object.hasOwn(tests, kind);
}
