import { createWriteStream } from 'node:fs';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../platform/errors.ts';
import { fullDiskSentence } from '../../platform/full-disk.ts';
import { isNamedPublicHost, publicLookup, type Resolve } from '../../platform/http/public-address.ts';
import { CloudError } from './cloud-error.ts';

/** Options of {@link fetchStem}. */
export interface FetchStemOptions {
  /** Destination file, which is overwritten. */
  readonly path: string;
  /** Address of the service as set by the operator: links to it are followed even in a private network. */
  readonly serviceUrl: string;
  /** Time without data after which the transfer is aborted, in s. */
  readonly silenceSeconds: number;
  readonly longestBytes: number;
  readonly signal: AbortSignal;
  /** Resolver of host names; the system's by default. */
  readonly resolve?: Resolve;
}

const mostRedirects = 3;

/**
 * Downloads a file from a link of the service, without sending the key. The link and each of at most 3 redirects must
 * lead to a named host of the public internet, by http or https on the default port, or to the service's own address.
 *
 * @throws CloudError `gone` if the link has expired, `away` if the connection breaks or stalls
 */
export async function fetchStem(link: string, options: FetchStemOptions): Promise<void> {
  let address = link;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const next = await fetchOnce(address, options);
    if (next === null) return;
    address = next;
  }
  throw new CloudError('malformed', 'a link of the cloud service is redirected too often');
}

/** Returns null once the file is stored, otherwise the target of a redirect. */
async function fetchOnce(address: string, options: FetchStemOptions): Promise<string | null> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isOwn = url !== null && url.origin === new URL(options.serviceUrl).origin;
  if (!url || !(isOwn || isNamedPublicHost(url, ['http:', 'https:'])))
    throw new CloudError(
      'malformed',
      'the cloud service returned a link that does not lead to a public address',
    );
  const quiet = new AbortController();
  const silence = setTimeout(() => quiet.abort(), options.silenceSeconds * 1000);
  const signal = AbortSignal.any([options.signal, quiet.signal]);
  try {
    const reply = await open(url, signal, isOwn ? undefined : publicLookup(options.resolve));
    const status = reply.statusCode ?? 0;
    if ([301, 302, 303, 307, 308].includes(status) && reply.headers.location) {
      reply.destroy();
      return URL.parse(reply.headers.location, url.href)?.href ?? '';
    }
    if (status !== 200) {
      reply.destroy();
      throw refusalOf(status);
    }
    const declared = Number(reply.headers['content-length'] ?? Number.NaN);
    let bytes = 0;
    await pipeline(
      reply,
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          silence.refresh();
          bytes += part.length;
          if (bytes > options.longestBytes)
            throw new CloudError('malformed', `a stem of the cloud service is larger than ${bytes} bytes`);
          yield part;
        }
      },
      createWriteStream(options.path),
      { signal },
    );
    if (Number.isFinite(declared) && bytes !== declared)
      throw new CloudError('away', `a stem ended after ${bytes} of ${declared} bytes`);
    return null;
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof CloudError || fullDiskSentence(error) !== null) throw error;
    const why = quiet.signal.aborted ? `silent for ${options.silenceSeconds} s` : messageOf(error);
    throw new CloudError('away', `a stem could not be fetched from the cloud service: ${why}`);
  } finally {
    clearTimeout(silence);
  }
}

function open(
  url: URL,
  signal: AbortSignal,
  lookup: ReturnType<typeof publicLookup> | undefined,
): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    get(url, { signal, ...(lookup && { lookup }) }, resolve).on('error', reject);
  });
}

function refusalOf(status: number): CloudError {
  if (status === 403 || status === 404 || status === 410)
    return new CloudError('gone', `a link of the cloud service has expired (it answered ${status})`);
  const problem = status >= 500 || status === 408 || status === 429 ? 'away' : 'refused';
  return new CloudError(problem, `the cloud service answered ${status} instead of a stem`);
}
