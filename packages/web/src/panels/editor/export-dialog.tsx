import { exportDawproject, exportProjectArchive } from '@stem-studio/contract/endpoints/project-archives';
import { type ExportFormat, exportFormats } from '@stem-studio/contract/export-formats';
import { dawprojectLosses } from '@stem-studio/contract/projects/dawproject-losses';
import type { EditNormalization } from '@stem-studio/contract/resources/edit-output';
import type { ProjectContent } from '@stem-studio/contract/resources/mix';
import type { Project, ProjectState } from '@stem-studio/contract/resources/project';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clockText } from '../../base/format.ts';
import { addressOf } from '../../client/call.ts';
import { requestProjectExport } from '../../state/mix-export.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SelectField } from '../../ui/select.tsx';
import styles from './editor.module.css';
import type { Span } from './selection.ts';

type BitDepth = '16' | '24' | '32f';

/** What is exported: a rendering, or the project itself. */
type Content = ProjectContent | 'archive' | 'dawproject';

const contents: readonly { value: Content; label: string }[] = [
  { value: 'mix', label: 'Mix' },
  { value: 'stems', label: 'Lanes as mixed, in a ZIP' },
  { value: 'archive', label: 'Project archive, with the audio' },
  { value: 'dawproject', label: 'DAWproject, for another DAW' },
];

const formats = exportFormats.map((value) => ({ value, label: value.toUpperCase() }));
const depthNames: Readonly<Record<BitDepth, string>> = {
  '16': '16 bits, dithered',
  '24': '24 bits',
  '32f': '32-bit floats',
};
const levels: readonly { value: EditNormalization; label: string }[] = [
  { value: 'none', label: 'Level as mixed' },
  { value: 'peak', label: 'Peak at −1 dBFS' },
  { value: 'loudness', label: 'Loudness −14 LUFS' },
];

/**
 * Chooses content, part, format and level of an export. "Requested files" shows its progress; the download starts when the
 * file is rendered.
 */
export function ExportDialog({
  project,
  state,
  span,
  onClose,
}: {
  project: Project;
  state: ProjectState;
  /** Selected span, which may be exported alone. */
  span: Span | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [content, setContent] = useState<Content>('mix');
  const [part, setPart] = useState<'all' | 'selection'>('all');
  const [format, setFormat] = useState<ExportFormat>('wav');
  const [bitDepth, setBitDepth] = useState<BitDepth>('24');
  const [normalize, setNormalize] = useState<EditNormalization>('none');
  const parts = [
    { value: 'all' as const, label: 'Whole project' },
    ...(span
      ? [
          {
            value: 'selection' as const,
            label: `Selection, ${clockText(span.startMs / 1000)} to ${clockText(span.endMs / 1000)}`,
          },
        ]
      : []),
  ];
  const depths = (format === 'flac' ? (['16', '24'] as const) : (['16', '24', '32f'] as const)).map(
    (value) => ({ value, label: depthNames[value] }),
  );
  const start = (rendered: ProjectContent) => {
    const range =
      part === 'selection' && span
        ? { start_ms: Math.round(span.startMs), end_ms: Math.round(span.endMs) }
        : {};
    void requestProjectExport(client, project, {
      content: rendered,
      format,
      bit_depth: bitDepth,
      normalize,
      ...range,
    });
    onClose();
  };
  return (
    <Dialog title={`Export ${project.name}`} onClose={onClose}>
      <div className={styles['export']}>
        <SelectField label="Content" value={content} options={contents} onChange={setContent} />
        {content === 'archive' ? (
          <ArchiveNote />
        ) : content === 'dawproject' ? (
          <DawprojectNote state={state} />
        ) : (
          <>
            <SelectField label="Part" value={part} options={parts} onChange={setPart} />
            <SelectField
              label="Format"
              value={format}
              options={formats}
              onChange={(chosen) => {
                setFormat(chosen);
                if (chosen === 'flac' && bitDepth === '32f') setBitDepth('24');
              }}
            />
            {format !== 'mp3' && (
              <SelectField label="Sample format" value={bitDepth} options={depths} onChange={setBitDepth} />
            )}
            <SelectField label="Level" value={normalize} options={levels} onChange={setNormalize} />
          </>
        )}
      </div>
      {content === 'archive' || content === 'dawproject' ? (
        <a
          className={buttonClass({ look: 'primary' })}
          href={addressOf(content === 'archive' ? exportProjectArchive : exportDawproject, {
            id: project.id,
          })}
          download=""
          onClick={onClose}
        >
          <Icon name="download" />
          Export
        </a>
      ) : (
        <Button look="primary" icon="download" onClick={() => start(content)}>
          Export
        </Button>
      )}
    </Dialog>
  );
}

function ArchiveNote() {
  return (
    <p className={styles['exportNote']}>
      A ZIP with the song, its stems and all steps. “Open archive” opens it in this studio or another one,
      where it sounds the same.
    </p>
  );
}

/** What another program gets, and what the format does not hold. */
function DawprojectNote({ state }: { state: ProjectState }) {
  const losses = dawprojectLosses(state);
  return (
    <div className={styles['exportNote']}>
      <p>
        Tracks, clips, notes, markers and tempo, with the stems, for Bitwig Studio, Studio One, Cubase and
        other programs that open DAWproject.
      </p>
      {losses.length > 0 && (
        <>
          <p>Not included:</p>
          <ul>
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
