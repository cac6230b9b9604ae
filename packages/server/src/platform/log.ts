import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

const secretPaths = ['authorization', 'cookie', 'password', 'token', 'secret', 'secretKey', 'databaseUrl'];

const secretParameters = new Set(['token', '_csrf_token', 'setup', 'code', 'state', 'link', 'password']);

/** Returns the decoded, lower-case name of a query parameter. */
function readName(name: string): string {
  return ([...new URLSearchParams(`${name}=`).keys()][0] ?? '').toLowerCase();
}

/** Returns a URL with the values of secret query parameters, and everything that looks like an API key, replaced. */
export function withoutSecrets(url: string): string {
  return url
    .replace(/([?&])([^=&#]*)=[^&#]*/g, (pair: string, before: string, name: string) =>
      secretParameters.has(readName(name)) ? `${before}${name}=[secret]` : pair,
    )
    .replace(/sst_[\w-]{16,}/g, '[secret]');
}

/** Removes the connection object, which the database driver attaches to connection errors. */
function withoutClient(error: Error): object {
  const { client: _connection, ...rest } = pino.stdSerializers.err(error) as { client?: unknown };
  return rest;
}

/**
 * Creates the service's log: lines of JSON on standard error. Secrets are replaced: headers with tokens, passwords,
 * keys, and tokens in URLs.
 */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secretPaths.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[secret]',
      },
      serializers: {
        err: withoutClient,
        req: (request: { method?: string; url?: string; ip?: string }) => ({
          method: request.method,
          url: withoutSecrets(request.url ?? ''),
          ip: request.ip,
        }),
        url: (url: unknown) => (typeof url === 'string' ? withoutSecrets(url) : url),
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
