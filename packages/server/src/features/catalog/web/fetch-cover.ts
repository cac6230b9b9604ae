import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isNamedPublicHost, publicLookup, type Resolve } from '../../../platform/http/public-address.ts';
import type { CoverImage } from '../catalog-provider.ts';

/** Rules for addresses of images that may be requested. */
export interface CoverRules {
  /** Origin of the catalog's API. Images are allowed there with any scheme, which a stand-in needs. */
  readonly apiOrigin: string;
}

const maxCoverBytes = 5_000_000;
const timeoutMs = 5000;

/**
 * Returns whether an image may be fetched from an address returned by the catalog. Allowed are https on a named public
 * host, and the API's own origin. IP addresses, ports and names of a local network are refused.
 */
export function isCoverAddress(address: string, { apiOrigin }: CoverRules): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === apiOrigin) return true;
  return isNamedPublicHost(url, ['https:']);
}

/**
 * Fetches the image at an address returned by the catalog. Null when that is not allowed or not an image. Resolves
 * names itself, and makes no request to this machine's own network; redirects are not followed.
 *
 * @param resolve resolver of host names; the system's by default
 */
export async function fetchCover(
  address: string,
  rules: CoverRules,
  resolve?: Resolve,
): Promise<CoverImage | null> {
  if (!isCoverAddress(address, rules)) return null;
  const url = new URL(address);
  try {
    return await readCover(url, url.origin === rules.apiOrigin ? undefined : publicLookup(resolve));
  } catch {
    // A track without a cover is still usable.
    return null;
  }
}

async function readCover(url: URL, lookup: LookupFunction | undefined): Promise<CoverImage | null> {
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { signal, headers: { accept: 'image/*' }, ...(lookup && { lookup }) }, resolve).on(
      'error',
      reject,
    );
  });
  const mediaType = reply.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (reply.statusCode !== 200 || !/^image\/(jpeg|png|webp)$/.test(mediaType)) {
    reply.destroy();
    return null;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  // The loop destroys the reply on an early return.
  for await (const part of reply as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxCoverBytes) return null;
    parts.push(part);
  }
  return { bytes: Buffer.concat(parts), mediaType };
}
