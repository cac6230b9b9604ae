import { leadsToPublicAddress, type Resolve } from '../../../platform/http/public-address.ts';
import { ToolFailure } from './tool-failure.ts';

/** Returns host and port of the operator's search address; null where the search is not an address. */
function searchHost(template: string): string | null {
  return URL.canParse(template) && /^https?:/i.test(template) ? new URL(template).host : null;
}

/**
 * Checks that the download tool may be sent to the address of a search result. Allowed are http and https, without
 * credentials, at a host of the public internet. The host of `DOWNLOAD_TOOL_SEARCH` is always allowed, because the
 * operator configured it.
 *
 * @param searchTemplate value of `DOWNLOAD_TOOL_SEARCH`
 * @param resolve resolver of host names; the system's by default
 * @throws {@link ToolFailure} for any other address
 * @see docs/decisions/0234-slow-and-probing-clients.md
 */
export async function requirePublicCandidate(
  address: string,
  searchTemplate: string,
  resolve?: Resolve,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isWeb && url.host === searchHost(searchTemplate)) return;
  if (isWeb && (await leadsToPublicAddress(url.hostname, resolve))) return;
  throw new ToolFailure(
    'unavailable',
    `The source at ${url?.host ?? 'an unreadable address'} was not fetched, because it is not on the public internet. Choose another source, or upload a file.`,
  );
}
