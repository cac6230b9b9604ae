import { byteText, partialBytesText } from '@stem-studio/contract/byte-text';
import { type Html, html } from '../../platform/http/html.ts';
import type { showUsage } from '../quotas/index.ts';
import { moment } from './moment.ts';

const countText = ({ used, limit }: { readonly used: number; readonly limit: number | null }) =>
  limit === null
    ? `${used.toLocaleString('en')}, no limit`
    : `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;

/** Renders the user's used storage and quota. */
export function storageSection({
  storage,
  tracks,
  queued_jobs,
  stem_sets,
  deleted,
}: Awaited<ReturnType<typeof showUsage>>): Html {
  const { used_bytes, expected_bytes, limit_bytes } = storage;
  const used =
    limit_bytes === null ? `${byteText(used_bytes)}, no limit` : partialBytesText(used_bytes, limit_bytes);
  return html`<section id="storage">
<h2>Storage</h2>
${
  limit_bytes !== null &&
  html`<meter aria-label="Storage used" min="0" max="${limit_bytes}" high="${Math.round(limit_bytes * 0.9)}" value="${Math.min(limit_bytes, used_bytes)}"></meter>`
}
<dl>
<div><dt>Audio and stems</dt><dd>${used}${expected_bytes > 0 && html`, and ${byteText(expected_bytes)} reserved for unfinished jobs`}</dd></div>
<div><dt>Tracks</dt><dd>${countText(tracks)}</dd></div>
<div><dt>Separations</dt><dd>${countText(stem_sets)}</dd></div>
<div><dt>Unfinished jobs</dt><dd>${countText(queued_jobs)}</dd></div>
${
  deleted.removed_at !== null &&
  html`<div><dt>Trash</dt><dd>${byteText(deleted.bytes)} in ${deleted.tracks.toLocaleString('en')} ${deleted.tracks === 1 ? 'track' : 'tracks'}, emptied by ${moment(new Date(deleted.removed_at))}</dd></div>`
}
</dl>
<p class="hint">Tracks in the trash count until they are deleted for good.</p>
</section>`;
}
