import { cloudRemarks } from '../panels/track/cloud-text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './track-page.module.css';
import type { OpenTrack } from './use-open-track.ts';

/** Warnings about the imported file and remarks about cloud stems; nothing when there are none. */
export function TrackRemarks({ open: { track, cloud } }: { open: OpenTrack }) {
  return (
    <>
      <Remarks icon="warning" title="Import warnings" lines={track?.audio?.warnings ?? []} />
      <Remarks icon="split" title="About these stems" lines={cloud ? cloudRemarks(cloud) : []} />
    </>
  );
}

function Remarks({
  icon,
  title,
  lines,
}: {
  icon: 'warning' | 'split';
  title: string;
  lines: readonly string[];
}) {
  if (lines.length === 0) return null;
  return (
    <div className={styles['remarks']} data-icon={icon}>
      <Icon name={icon} size={18} />
      <div>
        <h3>{title}</h3>
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
