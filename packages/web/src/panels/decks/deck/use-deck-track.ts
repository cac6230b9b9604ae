import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { Track } from '@stem-studio/contract/resources/track';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { useQuery } from '@tanstack/react-query';
import type { Section } from '../../../canvas/decks/waveform-view.ts';
import { allPeaksQuery } from '../../../client/peaks-query.ts';
import { analysisQuery, trackQuery } from '../../../client/queries.ts';
import { useDeck } from '../dj-context.ts';

const noSections: readonly Section[] = [];

/** Track on a deck with its waveform and sections, as far as they are loaded. */
export interface DeckTrack {
  track: Track | null;
  peaks: WaveformPeaks | null;
  sections: readonly Section[];
}

/** Returns the track on a deck; requests of several components are shared. */
export function useDeckTrack(deck: DeckId): DeckTrack {
  const trackId = useDeck(deck, (state) => state.track_id);
  const isLoaded = trackId !== null;
  const track = useQuery({ ...trackQuery(trackId ?? ''), enabled: isLoaded }).data ?? null;
  const peaks = useQuery(allPeaksQuery(track?.audio?.peaks_path ?? null)).data ?? null;
  const analysis = useQuery({ ...analysisQuery(trackId ?? ''), enabled: isLoaded }).data;
  if (!isLoaded) return { track: null, peaks: null, sections: noSections };
  return { track, peaks, sections: analysis?.sections ?? noSections };
}
