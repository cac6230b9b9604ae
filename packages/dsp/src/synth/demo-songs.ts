import type { DemoSong } from './demo-song.ts';
import { renderArrangement, type StemBlock } from './render-arrangement.ts';
import { harbourLight } from './song/harbour-light.ts';
import { paperLanterns } from './song/paper-lanterns.ts';
import { swallowSeason } from './song/swallow-season.ts';

/** Demo songs of the application. */
export const demoSongs: readonly DemoSong[] = [paperLanterns, harbourLight, swallowSeason];

/**
 * Renders a demo song in blocks of 4096 samples (the last one may be shorter) of 44.1 kHz stereo stems.
 *
 * The samples are the same each time on one platform. The mix is the sum of the four stems (`mixOf` in
 * `render-arrangement.ts`); its samples stay below −1 dBFS.
 *
 * @param durationSeconds length to render from the beginning; default the whole song
 */
export function renderDemoSong(song: DemoSong, durationSeconds = song.duration_seconds): Iterable<StemBlock> {
  return renderArrangement(song.arrange(), durationSeconds);
}
