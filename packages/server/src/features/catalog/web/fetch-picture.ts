import { isIP } from 'node:net';
import { readLimited } from '../../../platform/http/read-limited.ts';
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
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isPublicName =
    host.includes('.') && isIP(host) === 0 && !/\.(local|internal|localhost|lan)\.?$/.test(host);
  return url.protocol === 'https:' && url.port === '' && isPublicName;
}

/** The picture at an address that the catalog named; null when it may not be asked, or gives no picture. */
export async function fetchPicture(address: string, rules: PictureRules): Promise<CoverPicture | null> {
  if (!isPictureAddress(address, rules)) return null;
  try {
    const reply = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const mediaType = reply.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (reply.status !== 200 || !/^image\/(jpeg|png|webp)$/.test(mediaType)) {
      await reply.body?.cancel();
      return null;
    }
    return { bytes: await readLimited(reply, longestPictureBytes), mediaType };
  } catch {
    // A song without a picture is still a song.
    return null;
  }
}
