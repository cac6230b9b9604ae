/**
 * Target formats of a download: `lossless` is FLAC; `high`, `medium` and `low` are MP3 at 320, 192 and 128 kbps.
 *
 * @spec Downloads
 */
export const downloadQualities = ['lossless', 'high', 'medium', 'low'] as const;

/** Bitrate of each lossy quality, in kbps. */
export const qualityKbps = { high: 320, medium: 192, low: 128 } as const;
