import type { Separation } from '@stem-studio/contract/resources/separation';
import { separationModel, separationModels } from '@stem-studio/contract/separation-models';
import { bytesText, countText } from './format.ts';

/** Letters that name the separations of a track, the oldest first. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns the letter of the separation at `index`, such as `A`; its number after the last letter. */
export function separationLetter(index: number): string {
  return letters[index] ?? String(index + 1);
}

/** Returns the name of a model on the page, such as `Fast`; the given one if it is not of the local engine. */
export function modelLabel(model: string): string {
  const known = separationModel.safeParse(model);
  return known.success ? separationModels[known.data].label : model;
}

/** Returns the name of a separation, such as `Fast`, or the cloud with its number of stems. */
export function separationName({
  engine,
  model,
  preview,
  stems,
}: Pick<Separation, 'engine' | 'model' | 'preview'> & { readonly stems: readonly unknown[] }): string {
  const name = engine === 'cloud' ? `Cloud, ${countText(stems.length, 'stem')}` : modelLabel(model);
  return preview ? `${name}, first minute` : name;
}

/**
 * Returns what made a separation: `This studio, hybrid_4, network spleeter_2stems`,
 * `This studio, hybrid_4, built-in method`.
 */
export function makerText({
  engine,
  model,
  backend,
  network,
}: Pick<Separation, 'engine' | 'model' | 'backend' | 'network'>): string {
  if (engine === 'cloud') return 'Cloud';
  if (network !== null) return `This studio, ${model}, network ${network}`;
  return `This studio, ${model}, ${backend === 'spectral' ? 'built-in method' : backend}`;
}

/** Formats the time that a separation took: `8 s`, `1 min 20 s`, `1 h 2 min`; a dash where it is unknown. */
export function takenText(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 9.95) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600)
    return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Returns how long a separation will take, rounded as an estimate: `About 30 s for this song`. Says so where the
 * studio has not measured it yet.
 *
 * @param speed seconds of music per second of work; null if unknown
 * @param seconds length of the song, or of the preview
 */
export function workTimeText(speed: number | null, seconds: number): string {
  if (speed === null) return 'The time is known once this studio has used it';
  const work = seconds / speed;
  const step = work < 60 ? 5 : work < 600 ? 30 : 60;
  return `About ${takenText(Math.max(step, Math.round(work / step) * step))} for this song`;
}

/** Returns stems, duration of the work and disk use of a separation as one text. */
export function separationCostText({
  stems,
  seconds_taken,
  bytes,
}: Pick<Separation, 'seconds_taken' | 'bytes'> & { readonly stems: readonly unknown[] }): string {
  const taken = seconds_taken === null ? [] : [`took ${takenText(seconds_taken)}`];
  return [countText(stems.length, 'stem'), ...taken, bytesText(bytes)].join(' · ');
}
