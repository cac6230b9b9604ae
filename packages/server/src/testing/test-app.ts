import type { Role } from '@stem-studio/contract/roles';
import type { FastifyInstance } from 'fastify';
import { type App, createApp } from '../app.ts';
import { createAuthenticator } from '../features/accounts/index.ts';
import type { Authenticator } from '../platform/http/viewer.ts';
import { openTestContext, type TestContext, type TestLifetime, type TestOverrides } from './test-context.ts';
import { insertTestUser, type TestUser } from './test-user.ts';

/** The whole service on a separate database. */
export interface TestApp {
  readonly context: TestContext;
  /** Handles requests without a network: `app.inject({ method, url, headers: user.headers })`. */
  readonly app: FastifyInstance;
  /** For tests that need the network, timers or a stop. */
  readonly service: App;
  readonly registerUser: (role?: Role) => Promise<TestUser>;
  readonly tokenOf: (user: TestUser) => string;
}

/** Opens the service with all its features, its real pipeline and its real authenticator by default. */
export async function openTestApp(
  t: TestLifetime,
  overrides: TestOverrides & { readonly authenticator?: Authenticator } = {},
): Promise<TestApp> {
  // Imported only when needed, so that a test of one feature does not load all of them.
  const mounted = overrides.features ?? (await import('../features.ts')).features;
  const pipeline =
    overrides.pipeline ?? (overrides.features ? {} : (await import('../pipeline.ts')).pipeline);
  const context = await openTestContext(t, { ...overrides, pipeline, features: mounted });
  const service = await createApp(context, mounted, overrides.authenticator ?? createAuthenticator(context));
  context.beforeClose(() => service.stop());
  return {
    context,
    service,
    app: service.http,
    registerUser: (role) => insertTestUser(context, role),
    tokenOf: (user) => user.token,
  };
}
