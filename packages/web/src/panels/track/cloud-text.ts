import type { ReplyOf } from '@stem-studio/contract/endpoint';
import type { getCloudPrice, getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import type { CloudWork } from '@stem-studio/contract/resources/cloud-work';

/** Price of a cloud separation. */
export type CloudPrice = ReplyOf<typeof getCloudPrice>['data'];
/** Minutes at the cloud service. */
export type CloudQuota = ReplyOf<typeof getCloudQuota>['data'];

type Price = Pick<CloudPrice, 'price_minutes' | 'splits' | 'key'>;

function minutesText(minutes: number): string {
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Whether the remaining minutes are enough; true while unknown. */
export function canPay(
  price: Pick<Price, 'price_minutes'> | undefined,
  quota: CloudQuota | undefined,
): boolean {
  return !price || !quota || price.price_minutes <= quota.remaining_minutes;
}

/** Text of the price, such as `Costs 10 minutes`. */
export function priceText(price: Price | undefined): string {
  if (!price) return 'Loading price…';
  if (price.splits.every(({ is_paid }) => is_paid)) return 'Free: already paid';
  const isPartlyPaid = price.splits.some(({ is_paid }) => is_paid);
  return `Costs ${minutesText(price.price_minutes)}${isPartlyPaid ? '; partly paid already' : ''}`;
}

/** Text of the remaining minutes and of the key they belong to. */
export function quotaText(
  price: Pick<Price, 'key' | 'price_minutes'> | undefined,
  quota: CloudQuota | undefined,
): string {
  if (!price || !quota) return '';
  const whose = price.key === 'own' ? 'your key' : "this studio's key";
  const left = `${quota.remaining_minutes} of ${quota.quota_minutes} minutes left on ${whose}`;
  return canPay(price, quota) ? left : `Not enough minutes: ${left}`;
}

/** Label of the submit button, with the minutes that it spends. */
export function submitText(price: Pick<Price, 'price_minutes'> | undefined): string {
  return price && price.price_minutes > 0 ? `Separate for ${minutesText(price.price_minutes)}` : 'Separate';
}

/** Remarks about stems of a cloud separation: the level of the residual, and warnings. */
export function cloudRemarks(work: Pick<CloudWork, 'residual_db' | 'warnings'>): string[] {
  const { residual_db: level, warnings } = work;
  if (level === null) return [...warnings];
  // U+2212, the minus sign.
  const db = `${level < 0 ? '−' : ''}${Math.abs(level)} dB`;
  return [`Separated in the cloud. Residual: ${db}.`, ...warnings];
}
