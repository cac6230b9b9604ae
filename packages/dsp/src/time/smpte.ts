/** Frames per second of the timecode. */
export const TIMECODE_FPS = 30;

/**
 * Formats a time as SMPTE timecode `HH:MM:SS:FF` at 30 frames per second, non-drop.
 *
 * Negative times have a minus; a value that is not a number gives `--:--:--:--`.
 *
 * @see SMPTE ST 12-1
 * @spec Transport display
 */
export function smpteText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--:--:--:--';
  // A frame that begins exactly at this time must not be lost to rounding of the division.
  const frames = Math.floor(Math.abs(seconds) * TIMECODE_FPS + 1e-6);
  const wholeSeconds = Math.floor(frames / TIMECODE_FPS);
  const sign = seconds < 0 && frames > 0 ? '-' : '';
  const hours = twoDigits(Math.floor(wholeSeconds / 3600));
  const minutes = twoDigits(Math.floor(wholeSeconds / 60) % 60);
  return `${sign}${hours}:${minutes}:${twoDigits(wholeSeconds % 60)}:${twoDigits(frames % TIMECODE_FPS)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
