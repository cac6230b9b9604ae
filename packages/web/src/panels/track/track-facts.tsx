import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { Track } from '@stem-studio/contract/resources/track';
import { bpmText } from '../../base/format.ts';
import { keyText } from '../../base/key-text.ts';
import styles from './track-facts.module.css';

/** Key figures of a track: tempo, key, energy, beats and loudness. */
export function TrackFacts({ track, analysis }: { track: Track; analysis: AnalysisResult | null }) {
  const beats = analysis?.beats?.length ?? 0;
  const facts: { name: string; value: string; title?: string }[] = [
    { name: 'BPM', value: bpmText(track.bpm ?? analysis?.tempo ?? null), ...titled(tempoText(analysis)) },
    {
      name: 'Key',
      value: trackKeyText(track, analysis),
      ...titled(confidenceText(analysis?.key_confidence)),
    },
    {
      name: 'Energy',
      value: analysis?.energy === undefined ? '–' : `${Math.round(analysis.energy * 100)} %`,
    },
    { name: 'Beats', value: beats === 0 ? '–' : String(beats), ...titled(analysis?.time_signature ?? '') },
    {
      name: 'Loudness',
      value: analysis?.loudness_lufs === undefined ? '–' : `${analysis.loudness_lufs.toFixed(1)} LUFS`,
    },
  ];
  return (
    <dl className={styles['facts']}>
      {facts.map(({ name, value, title }) => (
        <div key={name} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function titled(title: string): { title?: string } {
  return title === '' ? {} : { title };
}

function trackKeyText(track: Track, analysis: AnalysisResult | null): string {
  const key = track.key || analysis?.key || '';
  const camelot = track.camelot || analysis?.camelot || '';
  return key === '' ? '–' : [camelot, keyText(key)].filter((part) => part !== '').join(' · ');
}

function tempoText(analysis: AnalysisResult | null): string {
  if (analysis?.tempo === undefined) return '';
  const stability = analysis.tempo_stable === false ? 'variable tempo' : 'steady tempo';
  if (analysis.grid_source === 'manual') return `${stability}, manual beat grid`;
  return [stability, confidenceText(analysis.tempo_confidence)].filter((part) => part !== '').join(', ');
}

function confidenceText(confidence: number | undefined): string {
  return confidence === undefined ? '' : `${Math.round(confidence * 100)} % confidence`;
}
