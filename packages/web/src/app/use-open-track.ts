import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import type { CloudWork } from '@stem-studio/contract/resources/cloud-work';
import type { CueList } from '@stem-studio/contract/resources/cue';
import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import type { Separation } from '@stem-studio/contract/resources/separation';
import type { Stem } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { allPeaksQuery, type DrawablePeaks } from '../client/peaks-query.ts';
import {
  analysisQuery,
  beatGridQuery,
  cuesQuery,
  notesQuery,
  processingJobQuery,
  separationsQuery,
  trackQuery,
} from '../client/queries.ts';
import type { Comparison } from '../panels/track/comparison.ts';
import { useSongOutput } from '../panels/track/use-song-output.ts';
import { useSongPlayer } from '../panels/track/use-song-player.ts';
import { playRequest, takePlayRequest } from '../state/play-request.state.ts';
import { setPlayerSettings } from '../state/player-settings.state.ts';
import { useStore } from '../ui/use-store.ts';
import { useComparison } from './use-comparison.ts';
import { useCurrentAnalysis } from './use-current-analysis.ts';

/** The open track with everything that its page shows; null or empty where it is missing or loading. */
export interface OpenTrack {
  readonly track: Track | null;
  /** Why the track could not be loaded, or null. */
  readonly error: Error | null;
  readonly retry: () => void;
  /** Whether the track or the list of its stems is loading. */
  readonly isOpening: boolean;
  readonly player: SongPlayer | null;
  /** Plays or pauses the song. */
  readonly toggle: () => void;
  /** Stems of the selected separation. */
  readonly stems: readonly Stem[];
  /** The separations of the track, and the selected one. */
  readonly comparison: Comparison;
  /** The cloud separation that made the stems. */
  readonly cloud: CloudWork | null;
  /** The newest analysis with the beats of the current grid. */
  readonly analysis: AnalysisResult | null;
  /** Whether it is known that there is an analysis or none. */
  readonly isAnalysisKnown: boolean;
  readonly grid: BeatGrid | null;
  readonly cues: CueList | null;
  readonly notes: readonly TranscriptionWithNotes[] | null;
  /** Tempo and key of the recording: those of the user, else of the analysis; null or empty if unknown. */
  readonly recorded: { readonly bpm: number | null; readonly key: string };
  /** Waveform of the whole song in all zooms. */
  readonly peaks: WaveformPeaks | null;
  /** The zoom for a waveform as wide as the page. */
  readonly overview: DrawablePeaks | null;
}

const noStems: readonly Stem[] = [];
const noSeparations: readonly Separation[] = [];

/** Loads a track and its parts, opens its player, and starts it if that was requested. */
export function useOpenTrack(trackId: string): OpenTrack {
  const track = useQuery(trackQuery(trackId));
  const hasAudio = Boolean(track.data?.audio);
  const separations = useQuery({ ...separationsQuery(trackId), enabled: hasAudio });
  const comparison = useComparison(track.data, separations.data ?? noSeparations);
  const { selected } = comparison;
  const separation = useQuery(processingJobQuery(selected?.engine === 'cloud' ? selected.job_id : null));
  const analysis = useQuery(analysisQuery(trackId));
  const grid = useQuery({ ...beatGridQuery(trackId), enabled: Boolean(analysis.data) });
  const cues = useQuery(cuesQuery(trackId));
  const notes = useQuery(notesQuery(trackId));
  const peaks = useQuery(allPeaksQuery(track.data?.audio?.peaks_path ?? null));
  const current = useCurrentAnalysis(analysis.data ?? null, grid.data ?? null);
  const bpm = track.data?.bpm ?? current?.tempo ?? 0;
  const key = track.data?.key || (current?.key ?? '');
  const recorded = useMemo(() => ({ bpm: bpm > 0 ? bpm : null, key }), [bpm, key]);

  // Waits for the list of stems, because a player of the mix would be replaced at once.
  const isOpening = track.isPending || (hasAudio && separations.isPending);
  const stems = selected?.stems ?? noStems;
  const player = useSongPlayer(trackId, selected, isOpening ? null : (track.data?.audio?.file_path ?? null));
  const title = track.data?.title ?? '';
  useEffect(() => {
    if (!player) return undefined;
    const report = () => {
      const { tempoPercent, keySemitones } = player.state.getState();
      setPlayerSettings(trackId, { tempoPercent, keySemitones });
    };
    report();
    const unsubscribe = player.state.subscribe(report);
    return () => {
      unsubscribe();
      setPlayerSettings(trackId, null);
    };
  }, [player, trackId]);
  const toggle = useSongOutput(player, title);
  const isPlayRequested = useStore(playRequest, (request) => request.trackId === trackId);
  useEffect(() => {
    if (player && isPlayRequested && takePlayRequest(trackId)) toggle();
  }, [player, isPlayRequested, trackId, toggle]);

  return {
    track: track.data ?? null,
    error: track.error,
    retry: () => void track.refetch(),
    isOpening,
    player,
    toggle,
    stems,
    comparison,
    cloud: separation.data?.cloud ?? null,
    analysis: current,
    isAnalysisKnown: !analysis.isPending,
    grid: grid.data ?? null,
    cues: cues.data ?? null,
    notes: notes.data ?? null,
    recorded,
    peaks: peaks.data ?? null,
    overview: peaks.data?.zooms[1] ?? peaks.data?.zooms[0] ?? null,
  };
}
