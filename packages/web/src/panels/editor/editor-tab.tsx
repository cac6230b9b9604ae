import { createProject } from '@stem-studio/contract/endpoints/projects';
import type { Project } from '@stem-studio/contract/resources/project';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { separationsQuery, trackQuery } from '../../client/queries.ts';
import { goTo, route } from '../../state/route.state.ts';
import { toastError } from '../../state/toasts.state.ts';
import { useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { JobLine } from '../../ui/job-line.tsx';
import { currentJob } from '../../ui/job-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './editor.module.css';
import { EditorPanel } from './editor-panel.tsx';
import { OpenArchiveButton } from './open-archive-button.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { projectsQuery } from './project-queries.ts';
import { useProjectEditor } from './use-project-editor.ts';

/** Uploads files that the user has chosen. */
type OnFiles = (files: readonly File[]) => void;

/** Tab of the editor: the projects of a track, or what to do first. */
export function EditorTab({ onFiles }: { onFiles: OnFiles }) {
  const trackId = useStore(route, ({ edited }) => edited);
  return (
    <section className={styles['editor']} aria-label="Editor">
      {trackId === null ? (
        <Notice
          icon="edit"
          title="No track open"
          actions={
            <>
              <Button look="primary" onClick={() => goTo({ tab: 'library' })}>
                Open library
              </Button>
              <OpenArchiveButton onFiles={onFiles} />
            </>
          }
        >
          Open a track in the editor from its menu in the library, or a project archive from another studio.
        </Notice>
      ) : (
        <TrackEditor key={trackId} trackId={trackId} onFiles={onFiles} />
      )}
    </section>
  );
}

function TrackEditor({ trackId, onFiles }: { trackId: string; onFiles: OnFiles }) {
  const track = useQuery(trackQuery(trackId));
  const projects = useQuery(projectsQuery(trackId));
  const error = track.error ?? projects.error;
  if (error && !(track.data && projects.data)) {
    const retry = () => void Promise.all([track.refetch(), projects.refetch()]);
    return <Failure text={errorText(error)} onRetry={retry} />;
  }
  if (!track.data || !projects.data) return <p className={styles['loading']}>Loading the editor…</p>;
  if (projects.data.length === 0) return <NoProject track={track.data} />;
  return <OpenProject track={track.data} projects={projects.data} onFiles={onFiles} />;
}

function Failure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Notice
      icon="warning"
      title="Project could not be opened"
      isError
      actions={<Button onClick={onRetry}>Retry</Button>}
    >
      {text}
    </Notice>
  );
}

/** A track without a project: it is created, after a separation if the track has none. */
function NoProject({ track }: { track: Track }) {
  const client = useQueryClient();
  const actions = useTrackActions();
  const job = currentJob(track);
  const hasStems = track.stems_job_id !== null;
  const create = async () => {
    try {
      await call(createProject, { params: { id: track.id }, body: {} });
      await client.invalidateQueries({ queryKey: projectsQuery(track.id).queryKey });
    } catch (error) {
      toastError('The project was not created', errorText(error));
    }
  };
  return (
    <Notice
      icon={hasStems ? 'edit' : 'split'}
      title={hasStems ? `Edit ${track.title}` : 'Separate this track'}
      actions={
        hasStems ? (
          <Button look="primary" onClick={() => void create()}>
            New project
          </Button>
        ) : job ? (
          <JobLine job={job} trackTitle={track.title} actions={actions} />
        ) : (
          track.audio && (
            <Button look="primary" icon="split" onClick={() => void actions.separate(track)}>
              Separate
            </Button>
          )
        )
      }
    >
      {hasStems
        ? 'A project has a lane for each stem of the track. The stems themselves are not changed.'
        : track.audio
          ? 'The editor has a lane for each stem of a track.'
          : 'This track is still being imported.'}
    </Notice>
  );
}

function OpenProject({
  track,
  projects,
  onFiles,
}: {
  track: Track;
  projects: readonly Project[];
  onFiles: OnFiles;
}) {
  const [chosen, setChosen] = useState<string | null>(projects[0]?.id ?? null);
  const [attempt, setAttempt] = useState(0);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  if (!project) return null;
  return (
    <>
      <div className={styles['head']}>
        <h2 title={track.title}>{track.title}</h2>
        <ProjectMenu
          trackId={track.id}
          projects={projects}
          project={project}
          onChoose={setChosen}
          onFiles={onFiles}
        />
      </div>
      <EditedProject
        key={`${project.id} ${attempt}`}
        track={track}
        project={project}
        onRetry={() => setAttempt(attempt + 1)}
      />
    </>
  );
}

function EditedProject({ track, project, onRetry }: { track: Track; project: Project; onRetry: () => void }) {
  const { editor, error } = useProjectEditor(track.id, project.id);
  const separations = useQuery(separationsQuery(track.id));
  const separation = separations.data?.find(({ job_id }) => job_id === project.job_id) ?? null;
  if (error) return <Failure text={errorText(error)} onRetry={onRetry} />;
  if (!editor) return <p className={styles['loading']}>Loading the project…</p>;
  return <EditorPanel project={project} editor={editor} separation={separation} title={track.title} />;
}
