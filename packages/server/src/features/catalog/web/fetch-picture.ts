import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isNamedPublicHost, publicLookup, type Resolve } from '../../../platform/http/public-address.ts';
import type { CoverPicture } from '../catalog-provider.ts';

/** Which addresses of pictures are asked. */
export interface PictureRules {
  /** Origin of the catalog's API: a picture may lie there whatever its scheme, which is how a stand-in works. */
  readonly apiOrigin: string;
}

const longestPictureBytes = 5_000_000;
const timeoutMs = 5000;

/**
 * Whether a picture may be fetched from an address that the catalog named: https on a named public host, or the API's
 * own origin. Numbers instead of names, ports and names of a local network are refused.
 */
export function isPictureAddress(address: string, { apiOrigin }: PictureRules): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === apiOrigin) return true;
  return isNamedPublicHost(url, ['https:']);
}

/**
 * The picture at an address that the catalog named; null when it may not be asked, or gives no picture. Names are looked
 * up here, and one that leads into this machine's own network is not asked; redirects are not followed.
 *
 * @param resolve what finds the addresses of names; the system unless given
 */
export async function fetchPicture(
  address: string,
  rules: PictureRules,
  resolve?: Resolve,
): Promise<CoverPicture | null> {
  if (!isPictureAddress(address, rules)) return null;
  const url = new URL(address);
  try {
    return await readPicture(url, url.origin === rules.apiOrigin ? undefined : publicLookup(resolve));
  } catch {
    // A song without a picture is still a song.
    return null;
  }
}

async function readPicture(url: URL, lookup: LookupFunction | undefined): Promise<CoverPicture | null> {
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
  // What is left early is destroyed by the loop.
  for await (const part of reply as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > longestPictureBytes) return null;
    parts.push(part);
  }
  return { bytes: Buffer.concat(parts), mediaType };
}
