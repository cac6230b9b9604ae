import { leadsToPublicAddress, type Resolve } from '../../../platform/http/public-address.ts';
import { ToolFailure } from './tool-failure.ts';

/** Host and port that the operator searches at, when the search is an address of its own; else null. */
function searchHost(template: string): string | null {
  return URL.canParse(template) && /^https?:/i.test(template) ? new URL(template).host : null;
}

/**
 * Throws {@link ToolFailure} unless the download tool may be sent to an address that a search gave: http or https, without
 * credentials, at a host of the public internet. The host of `DOWNLOAD_TOOL_SEARCH` is allowed wherever it is, because
 * the operator named it.
 *
 * @param searchTemplate value of `DOWNLOAD_TOOL_SEARCH`
 * @param resolve what finds the addresses of names; the system unless given
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
