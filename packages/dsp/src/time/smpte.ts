/** Pictures a second of the timecode. */
export const TIMECODE_FPS = 30;

/**
 * A moment as SMPTE timecode `HH:MM:SS:FF`, thirty pictures a second, none dropped. What lies before 0 has a minus; what
 * is no number is `--:--:--:--`.
 *
 * @see SMPTE ST 12-1
 * @spec Transport display
 */
export function smpteText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--:--:--:--';
  // A picture that begins exactly here must not be missed by the rounding of a division.
  const pictures = Math.floor(Math.abs(seconds) * TIMECODE_FPS + 1e-6);
  const wholeSeconds = Math.floor(pictures / TIMECODE_FPS);
  const sign = seconds < 0 && pictures > 0 ? '-' : '';
  const hours = twoDigits(Math.floor(wholeSeconds / 3600));
  const minutes = twoDigits(Math.floor(wholeSeconds / 60) % 60);
  return `${sign}${hours}:${minutes}:${twoDigits(wholeSeconds % 60)}:${twoDigits(pictures % TIMECODE_FPS)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
