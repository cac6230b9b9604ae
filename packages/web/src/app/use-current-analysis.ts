import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import { useMemo } from 'react';

/** An analysis with the beats that hold now: an edit of the grid does not fetch all the rest again. */
export function useHeardAnalysis(
  analysis: AnalysisResult | null,
  grid: BeatGrid | null,
): AnalysisResult | null {
  return useMemo(() => {
    if (!analysis || !grid) return analysis;
    const {
      track_id: _trackId,
      undo: _undo,
      redo: _redo,
      detected: _detected,
      edited_at: _at,
      ...held
    } = grid;
    return { ...analysis, ...held };
  }, [analysis, grid]);
}
