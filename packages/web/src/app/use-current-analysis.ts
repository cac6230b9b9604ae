import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import { useMemo } from 'react';

/** Returns an analysis with the beats of the current grid, so that an edit of the grid refetches only the grid. */
export function useCurrentAnalysis(
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
      ...current
    } = grid;
    return { ...analysis, ...current };
  }, [analysis, grid]);
}
