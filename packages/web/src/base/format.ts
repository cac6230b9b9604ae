/** Formats seconds as `m:ss`, or `h:mm:ss` from an hour on; negative and unknown values as `0:00`. */
export function clockText(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const tail = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** Formats remaining seconds, rounded coarsely because they are an estimate; empty for null. */
export function timeLeftText(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 10) return 'a few seconds left';
  if (seconds < 60) return `${Math.round(seconds / 10) * 10} s left`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min left`;
  return `${Math.round(seconds / 360) / 10} h left`;
}

/** Formats bytes in decimal units, such as `4.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}

/** Formats a tempo with at most two decimals; a dash for none. */
export function bpmText(bpm: number | null): string {
  if (bpm === null || bpm <= 0) return '–';
  return String(Math.round(bpm * 100) / 100);
}

/** Formats a percentage with at most two decimals: `93.75 %`. */
export function percentText(percent: number): string {
  return `${Math.round(percent * 100) / 100} %`;
}

/** Formats a signed whole number with a true minus sign: `+2`, `−3`, `0`. */
export function signedText(value: number): string {
  if (value === 0) return '0';
  return value > 0 ? `+${value}` : `−${-value}`;
}

/** Formats an integrated loudness, such as `−9.8 LUFS`; a dash for none. */
export function loudnessText(lufs: number | null): string {
  return lufs === null ? '–' : `${lufs.toFixed(1).replace('-', '−')} LUFS`;
}

/** Formats a count with its noun: `1 track`, `3 tracks`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
