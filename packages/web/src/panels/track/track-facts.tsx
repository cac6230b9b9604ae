import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { Track } from '@stem-studio/contract/resources/track';
import { transposedKey } from '@stem-studio/contract/transposed-key';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import { bpmText } from '../../base/format.ts';
import { keyText } from '../../base/key-text.ts';
import { playerSettings, settingsOf } from '../../state/player-settings.state.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './track-facts.module.css';

/** Key figures of a track: tempo and key as the player is set, energy, beats and loudness. */
export function TrackFacts({
  track,
  recorded: { bpm, key },
  analysis,
}: {
  track: Track;
  /** Tempo and key of the recording. */
  recorded: { readonly bpm: number | null; readonly key: string };
  analysis: AnalysisResult | null;
}) {
  const { tempoPercent, keySemitones } = useStore(playerSettings, (all) => settingsOf(all, track.id));
  const beats = analysis?.beats?.length ?? 0;
  const isOtherTempo = tempoPercent !== 100 && bpm !== null;
  const isOtherKey = keySemitones !== 0 && key !== '';
  const facts: { name: string; value: string; title?: string; isChanged?: boolean }[] = [
    {
      name: 'BPM',
      value: bpmText(bpm === null ? null : (bpm * tempoPercent) / 100),
      isChanged: isOtherTempo,
      ...titled(isOtherTempo ? `Recorded: ${bpmText(bpm)} BPM` : tempoText(analysis)),
    },
    {
      name: 'Key',
      value: isOtherKey
        ? camelotKeyText(transposedKey(key, keySemitones))
        : trackKeyText(track, key, analysis),
      isChanged: isOtherKey,
      ...titled(isOtherKey ? `Recorded: ${keyText(key)}` : confidenceText(analysis?.key_confidence)),
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
      {facts.map(({ name, value, title, isChanged = false }) => (
        <div key={name} title={title} data-changed={isChanged}>
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

function camelotKeyText(key: string): string {
  return [camelotOf(key), keyText(key)].filter((part) => part !== '').join(' · ');
}

function trackKeyText(track: Track, key: string, analysis: AnalysisResult | null): string {
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
