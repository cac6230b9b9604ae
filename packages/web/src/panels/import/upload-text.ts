import { countText, timeLeftText } from '../../base/format.ts';
import type { Upload } from '../../state/uploads.state.ts';

/** Numbers of uploads by their outcome. */
export interface UploadCounts {
  readonly total: number;
  readonly open: number;
  readonly done: number;
  /** Failed and refused ones. */
  readonly failed: number;
  /** Percentage of the bytes that were sent; 100 when nothing is open. */
  readonly percent: number;
}

/** Counts uploads by their outcome. */
export function countUploads(uploads: readonly Upload[]): UploadCounts {
  const has = (...wanted: Upload['status'][]) => uploads.filter(({ status }) => wanted.includes(status));
  const open = has('waiting', 'sending');
  const counted = [...open, ...has('accepted')];
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0);
  const sent = counted.reduce((sum, upload) => sum + upload.sent, 0);
  return {
    total: uploads.length,
    open: open.length,
    done: has('accepted').length,
    failed: has('failed', 'refused').length,
    percent: open.length === 0 || bytes === 0 ? 100 : (sent / bytes) * 100,
  };
}

/** Text of a series, such as `Uploading: 12 of 50 files · 1 failed · 2 min left` or `50 files uploaded`. */
export function uploadsText({ total, open, done, failed }: UploadCounts, secondsLeft: number | null): string {
  // All of them were cancelled.
  if (open + done + failed === 0) return `${countText(total, 'file')} cancelled`;
  const parts =
    open > 0
      ? [`Uploading: ${done.toLocaleString('en')} of ${countText(total, 'file')}`]
      : [`${countText(done, 'file')} uploaded`];
  if (failed > 0) parts.push(`${failed.toLocaleString('en')} failed`);
  const left = timeLeftText(open > 0 ? secondsLeft : null);
  if (left !== '') parts.push(left);
  return parts.join(' · ');
}
