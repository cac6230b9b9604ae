import type { LocalDeck } from '@stem-studio/audio/deck/local-deck';

/**
 * Returns the loading state of a deck's audio for the user; empty when the whole song is loaded. A song that is too long
 * to be kept as a whole never reaches 100 %, so it has no percentage.
 */
export function loadText({
  status,
  loadedRatio,
  isStreaming,
  isBuffering,
}: Pick<LocalDeck, 'status' | 'loadedRatio' | 'isStreaming' | 'isBuffering'>): string {
  if (status === 'loading') return 'Loading…';
  if (status !== 'ready') return '';
  if (isBuffering) return 'Waiting for audio…';
  if (isStreaming) return 'Loads as it plays';
  const percent = Math.floor(loadedRatio * 100);
  return percent > 0 && percent < 100 ? `Loading ${percent} %` : '';
}
