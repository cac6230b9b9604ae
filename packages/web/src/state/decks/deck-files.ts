import type { DeckFiles } from '@stem-studio/audio/deck/deck-files';
import { beatsPerBarOf } from '@stem-studio/dsp/rhythm/time-signature';
import type { QueryClient } from '@tanstack/react-query';
import { fileAddress } from '../../client/peaks-query.ts';
import { beatGridQuery, processingJobQuery, trackQuery } from '../../client/queries.ts';

/** Returns the source of audio files and beat grids for the decks, backed by the page's query cache. */
export function createDeckFiles(client: QueryClient): DeckFiles {
  return {
    async song(trackId) {
      const { audio, title, duration_ms } = await client.fetchQuery(trackQuery(trackId));
      if (!audio) throw new Error(`“${title}” has no audio yet; try again once it is imported`);
      return { address: fileAddress(audio.file_path), codec: audio.codec, durationMs: duration_ms };
    },
    async stems(processingJobId) {
      const { stems } = await client.fetchQuery(processingJobQuery(processingJobId));
      return stems.map((stem) => ({ type: stem.stem_type, address: fileAddress(stem.file_path) }));
    },
    async grid(trackId) {
      const grid = await client.fetchQuery(beatGridQuery(trackId));
      return {
        beats: grid?.beats ?? [],
        downbeats: grid?.downbeats ?? [],
        bpm: grid && grid.tempo > 0 ? grid.tempo : null,
        beatsPerBar: beatsPerBarOf(grid?.time_signature ?? ''),
      };
    },
  };
}
