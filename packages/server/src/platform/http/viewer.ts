import type { IncomingMessage } from 'node:http';
import type { Role } from '@stem-studio/contract/roles';
import type { ApiScope } from '@stem-studio/contract/scopes';
import type { FastifyRequest } from 'fastify';

/** Authenticated user of a request. */
export interface Viewer {
  readonly id: number;
  readonly email: string;
  /** Effective role. An API key without the scope `admin` never has more than `user`. */
  readonly role: Role;
  /** Scopes of the API key; null for a browser, and for a key without limits. */
  readonly scopes: readonly ApiScope[] | null;
  readonly via: 'cookie' | 'token';
  readonly login_session_id: string | null;
  readonly api_key_id: string | null;
  /**
   * Expiry of the login or the API key; null for a key that never expires. A login may be renewed meanwhile, so
   * long-lived holders of a viewer must authenticate again at this time. It may exceed the range of JavaScript timers
   * (2^31 ms).
   */
  readonly expires_at: Date | null;
}

/** Authenticates requests. Implemented by the accounts feature, called by the platform. */
export interface Authenticator {
  /**
   * Returns the user of the bearer token or the login cookie of a request. Returns null if both are missing or invalid.
   */
  viewerOf(request: FastifyRequest): Promise<Viewer | null>;
  /** Throws `forbidden` unless the request carries the CSRF token of its browser. */
  checkCsrf(request: FastifyRequest, viewer: Viewer | null): Promise<void>;
  /** Returns the user of a socket's token (`?token=`, or the public client's `authToken`), else of its cookie. */
  viewerOfSocket(request: IncomingMessage): Promise<Viewer | null>;
  /** Throws `forbidden` unless `token` is a CSRF token of the login of `viewer`. */
  checkSocketCsrf(token: string | null, viewer: Viewer): void;
}
