import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Cue } from '@stem-studio/contract/resources/cue';
import { Fragment, useId, useMemo, useState } from 'react';
import { ChartPlayhead } from '../../canvas/chart-playhead.ts';
import type { TimeChart } from '../../canvas/time-chart.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { createChartCursor } from '../../state/chart-cursor.state.ts';
import type { SongAnalysis } from '../../state/song-analysis.ts';
import { Button } from '../../ui/button.tsx';
import { TimeChartFigure } from '../../ui/time-chart-figure.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';
import { analysisCharts, isExpertChart, spelledChords } from './analysis-charts.ts';
import styles from './analysis-panel.module.css';
import { ChordSheet } from './chord-sheet.tsx';
import { FifthsFigure } from './fifths-figure.tsx';
import { FigureList } from './figure-list.tsx';
import { loudnessFigures, spectralFigures } from './figures.ts';

/** The analysis of a track: charts over time with a common cursor, and its figures. */
export function AnalysisPanel({
  analysis,
  peaks,
  cues,
  durationSeconds,
  musicalKey,
  player,
}: {
  analysis: SongAnalysis;
  peaks: DrawablePeaks | null;
  cues: readonly Cue[];
  durationSeconds: number;
  /** The user's key, or else the detected one; empty for none. */
  musicalKey: string;
  player: SongPlayer | null;
}) {
  const charts = useMemo(() => analysisCharts(analysis, peaks, cues), [analysis, peaks, cues]);
  const [showsMore, setShowsMore] = useState(false);
  const moreId = useId();
  const chords = useMemo(() => spelledChords(analysis), [analysis]);
  const isNarrow = useIsNarrow();
  const [cursor] = useState(createChartCursor);
  const clock = useMemo(() => new ChartPlayhead(durationSeconds), [durationSeconds]);
  useScope(
    (scope) => {
      if (player) clock.follow(scope, player);
    },
    [player, clock],
  );
  const expert = charts.filter(({ id }) => isExpertChart(id));
  const hasMore = expert.length > 0 || spectralFigures(analysis).length > 0;
  const figureOf = (chart: TimeChart) => (
    <TimeChartFigure
      key={chart.id}
      chart={chart}
      durationSeconds={durationSeconds}
      player={player}
      cursor={cursor}
      clock={clock}
    />
  );
  const hasTonality = musicalKey !== '' || (analysis.features?.chroma?.length ?? 0) > 0;
  return (
    <section className={styles['analysis']} aria-label="Analysis">
      <h3 className="visually-hidden">Analysis</h3>
      <div className={styles['overTime']}>
        {charts
          .filter(({ id }) => !isExpertChart(id))
          .map((chart) => (
            <Fragment key={chart.id}>
              {figureOf(chart)}
              {chart.id === 'chords' && isNarrow && <ChordSheet chords={chords} player={player} />}
            </Fragment>
          ))}
      </div>
      <div className={styles['whole']}>
        {hasTonality && <FifthsFigure analysis={analysis} musicalKey={musicalKey} />}
        <FigureList title="Character" figures={loudnessFigures(analysis)} />
      </div>
      {hasMore && (
        <div className={styles['more']}>
          <Button
            small
            look="quiet"
            icon={showsMore ? 'up' : 'down'}
            aria-expanded={showsMore}
            aria-controls={moreId}
            onClick={() => setShowsMore(!showsMore)}
          >
            {showsMore ? 'Fewer figures' : 'More figures'}
          </Button>
        </div>
      )}
      <div id={moreId} className={styles['expert']} hidden={!showsMore}>
        {showsMore && (
          <>
            <div className={styles['overTime']}>{expert.map(figureOf)}</div>
            <div className={styles['whole']}>
              <FigureList title="Spectrum" figures={spectralFigures(analysis)} />
            </div>
          </>
        )}
      </div>
    </section>
  );
}
