import { partialBytesText } from '@stem-studio/contract/byte-text';
import type { Usage } from '@stem-studio/contract/resources/usage';

/** Used share of a quota, 0 to 1, from which the user is warned. */
const WARNING_SHARE = 0.9;

/** Text about the quota nearest to its limit, or null while none is nearly used up. */
export function quotaWarning({ storage, tracks, stem_sets }: Usage): string | null {
  const used = storage.used_bytes + storage.expected_bytes;
  const counts = (name: string, advice: string, { used: count, limit }: Usage['tracks']) => ({
    used: count,
    limit,
    text: `${count.toLocaleString('en')} of ${limit?.toLocaleString('en')} ${name} used.`,
    advice,
  });
  const quotas = [
    {
      used,
      limit: storage.limit_bytes,
      text: `${partialBytesText(used, storage.limit_bytes ?? used)} of your storage used.`,
      advice: 'Delete tracks or stems to free space.',
    },
    counts('tracks', 'Delete tracks to add more.', tracks),
    counts('separations', 'Delete stems to separate more tracks.', stem_sets),
  ].flatMap(({ limit, ...rest }) =>
    limit === null ? [] : [{ ...rest, share: limit === 0 ? 1 : rest.used / limit }],
  );
  const [worst] = quotas.toSorted((a, b) => b.share - a.share);
  if (!worst || worst.share < WARNING_SHARE) return null;
  return worst.share >= 1 ? `${worst.text} ${worst.advice}` : worst.text;
}
