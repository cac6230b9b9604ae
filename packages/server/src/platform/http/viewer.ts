import type { IncomingMessage } from 'node:http';
import type { Role } from '@stem-studio/contract/roles';
import type { ApiScope } from '@stem-studio/contract/scopes';
import type { FastifyRequest } from 'fastify';

/** Who asks. */
export interface Viewer {
  readonly id: number;
  readonly email: string;
  /** What they may do now: an API key without the scope `admin` is never more than `user`. */
  readonly role: Role;
  /** What their API key is limited to; null for a browser, and for a key without limits. */
  readonly scopes: readonly ApiScope[] | null;
  readonly via: 'cookie' | 'token';
  readonly login_session_id: string | null;
  readonly api_key_id: string | null;
  /**
   * When the login or the key runs out unless something happens before; null for a key that never does. A login may be
   * renewed meanwhile: whoever holds on to a viewer asks the authenticator again at this moment. It can be further away
   * than a timer of JavaScript reaches (2^31 ms).
   */
  readonly expires_at: Date | null;
}

/** Tells who asks. The accounts feature implements it; the platform only calls it. */
export interface Authenticator {
  /** The user behind the bearer token or the login cookie of a request; null when there is neither, or it holds no longer. */
  viewerOf(request: FastifyRequest): Promise<Viewer | null>;
  /** Throws `forbidden` unless the request carries the CSRF token of its browser. */
  checkCsrf(request: FastifyRequest, viewer: Viewer | null): Promise<void>;
  /** The user behind a socket's token (`?token=`, or the public client's `authToken`), else behind its cookie. */
  viewerOfSocket(request: IncomingMessage): Promise<Viewer | null>;
  /** Throws `forbidden` unless `token` is a CSRF token that was made for the login of `viewer`. */
  checkSocketCsrf(token: string | null, viewer: Viewer): void;
}
