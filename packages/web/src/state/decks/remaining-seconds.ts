/** Playing time that is left of a song at its tempo, in seconds. */
export function remainingSeconds(
  durationSeconds: number,
  positionSeconds: number,
  tempoPercent: number,
): number {
  return Math.max(0, durationSeconds - positionSeconds) / (1 + tempoPercent / 100);
}
