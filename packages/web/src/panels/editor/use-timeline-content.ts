import {
  soundingChords,
  type Transposition,
  transpositionsOf,
} from '@stem-studio/contract/projects/sounding-chords';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pitchText } from '../../base/key-text.ts';
import type { TimelineContent } from '../../canvas/timeline-canvas.ts';
import { analysisQuery, cuesQuery } from '../../client/queries.ts';
import { bestCues } from '../../state/best-cues.ts';
import { chordSpansOf } from '../../state/song-analysis.ts';
import { onTimeline } from './song-marks.ts';

/** Returns bars, sections, chords and cue points of the song where the project has them. */
export function useTimelineContent(
  trackId: string,
  { time_map, duration_ms, lanes }: Pick<ProjectState, 'time_map' | 'duration_ms' | 'lanes'>,
): TimelineContent {
  const { data: analysis } = useQuery(analysisQuery(trackId));
  const { data: cues } = useQuery(cuesQuery(trackId));
  // Text, because most edits of clips do not change it.
  const transpositions = JSON.stringify(transpositionsOf(lanes));
  return useMemo(() => {
    const content = onTimeline(
      {
        beats: analysis?.beats ?? [],
        downbeats: analysis?.downbeats ?? [],
        sections: analysis?.sections ?? [],
        chords: analysis ? chordSpansOf(analysis) : [],
        cues: bestCues(cues?.cues ?? []),
      },
      { time_map, duration_ms },
    );
    const parts = JSON.parse(transpositions) as Transposition[];
    const chords = soundingChords(content.chords, parts).map((chord) => ({
      ...chord,
      label: pitchText(chord.label, analysis?.key ?? ''),
    }));
    return { ...content, chords };
  }, [analysis, cues, time_map, duration_ms, transpositions]);
}
