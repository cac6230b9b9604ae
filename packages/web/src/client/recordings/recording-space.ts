/** Bytes of a recorded second: two samples of 24 bits, 44,100 times. */
const SECOND_BYTES = 44_100 * 6;

/** Returns how much longer this browser can record, and where it keeps recordings. */
export async function recordingSpaceText(): Promise<string> {
  if (!('storage' in navigator))
    return 'Recordings are held by this page until you save them: this address has no private storage (it needs https).';
  const { quota = 0, usage = 0 } = await navigator.storage.estimate().catch((): StorageEstimate => ({}));
  return `Kept in this browser while it records. ${spaceText(quota - usage)}`;
}

/** Returns the time that can be recorded into `bytes`: `Space for about 3 h.`; empty for no known space. */
export function spaceText(bytes: number): string {
  const minutes = bytes / SECOND_BYTES / 60;
  if (minutes <= 0) return '';
  if (minutes < 1) return 'Space for less than a minute.';
  if (minutes < 120) return `Space for about ${Math.floor(minutes)} min.`;
  return `Space for about ${Math.min(99, Math.floor(minutes / 60))} h.`;
}
