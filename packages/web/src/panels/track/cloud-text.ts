import type { ReplyOf } from '@stem-studio/contract/endpoint';
import type { getCloudPrice, getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import type { CloudWork } from '@stem-studio/contract/resources/cloud-work';

/** What a cloud separation would cost. */
export type CloudPrice = ReplyOf<typeof getCloudPrice>['data'];
/** The minutes at the cloud service. */
export type CloudQuota = ReplyOf<typeof getCloudQuota>['data'];

type Price = Pick<CloudPrice, 'price_minutes' | 'splits' | 'key'>;

function minutesText(minutes: number): string {
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Whether the minutes that are left suffice; true while nobody knows. */
export function canPay(
  price: Pick<Price, 'price_minutes'> | undefined,
  quota: CloudQuota | undefined,
): boolean {
  return !price || !quota || price.price_minutes <= quota.remaining_minutes;
}

/** What it costs, in a sentence; what is paid already is said. */
export function priceText(price: Price | undefined): string {
  if (!price) return 'Asking for the price…';
  if (price.splits.every(({ is_paid }) => is_paid)) return 'Costs nothing: it is paid already';
  const isPartlyPaid = price.splits.some(({ is_paid }) => is_paid);
  return `Costs ${minutesText(price.price_minutes)}${isPartlyPaid ? '; some of it is paid already' : ''}`;
}

/** What is left, and of whose key. */
export function quotaText(
  price: Pick<Price, 'key' | 'price_minutes'> | undefined,
  quota: CloudQuota | undefined,
): string {
  if (!price || !quota) return '';
  const whose = price.key === 'own' ? 'your key' : "this studio's key";
  const left = `${quota.remaining_minutes} of ${quota.quota_minutes} minutes are left on ${whose}`;
  return canPay(price, quota) ? left : `Too few: ${left}`;
}

/** What the button says: what is spent by pressing it. */
export function submitText(price: Pick<Price, 'price_minutes'> | undefined): string {
  return price && price.price_minutes > 0 ? `Separate for ${minutesText(price.price_minutes)}` : 'Separate';
}

/** What is to be known of stems that came from the cloud; nothing where there is nothing. */
export function cloudRemarks(work: Pick<CloudWork, 'residual_db' | 'warnings'>): string[] {
  const { residual_db: level, warnings } = work;
  if (level === null) return [...warnings];
  // A minus sign, which is longer than a hyphen.
  const db = `${level < 0 ? '−' : ''}${Math.abs(level)} dB`;
  return [`These stems come from the cloud. What is in the song and in none of them: ${db}.`, ...warnings];
}
