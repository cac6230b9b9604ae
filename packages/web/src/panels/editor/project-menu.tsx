import { exportProjectMidi } from '@stem-studio/contract/endpoints/edit-export';
import {
  createProject,
  deleteProject,
  duplicateProject,
  updateProject,
} from '@stem-studio/contract/endpoints/projects';
import { editBounds } from '@stem-studio/contract/limits';
import type { Project } from '@stem-studio/contract/resources/project';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { addressOf, call } from '../../client/call.ts';
import { toastError } from '../../state/toasts.state.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { QuestionDialog } from '../../ui/question-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './editor.module.css';
import { OpenArchiveButton } from './open-archive-button.tsx';
import { projectsQuery } from './project-queries.ts';

/** Chooses, creates, renames, duplicates and deletes the projects of a track. */
export function ProjectMenu({
  trackId,
  projects,
  project,
  onChoose,
  onFiles,
}: {
  trackId: string;
  projects: readonly Project[];
  project: Project;
  onChoose: (id: string | null) => void;
  /** Uploads a project archive. */
  onFiles: (files: readonly File[]) => void;
}) {
  const client = useQueryClient();
  const [isRenaming, setIsRenaming] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const perform = async (what: string, change: () => Promise<string | null>) => {
    try {
      const id = await change();
      await client.invalidateQueries({ queryKey: projectsQuery(trackId).queryKey });
      onChoose(id);
    } catch (error) {
      toastError(`The project was not ${what}`, errorText(error));
    }
  };
  const params = { id: project.id };
  const rename = (text: string) => {
    setIsRenaming(false);
    const name = text.trim();
    if (name === '' || name === project.name) return;
    void perform('renamed', async () => (await call(updateProject, { params, body: { name } })).data.id);
  };
  return (
    <div className={styles['projects']}>
      {isRenaming ? (
        <input
          className={styles['rename']}
          aria-label="Name of the project"
          defaultValue={project.name}
          maxLength={editBounds.name}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens where the user works
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onBlur={(event) => rename(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') rename(event.currentTarget.value);
            if (event.key === 'Escape') setIsRenaming(false);
          }}
        />
      ) : (
        <Select
          label="Project"
          value={project.id}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={onChoose}
        />
      )}
      <Button
        small
        onClick={() =>
          void perform(
            'created',
            async () => (await call(createProject, { params: { id: trackId }, body: {} })).data.id,
          )
        }
      >
        New
      </Button>
      <Button small onClick={() => setIsRenaming(true)}>
        Rename
      </Button>
      <Button
        small
        onClick={() =>
          void perform('duplicated', async () => (await call(duplicateProject, { params, body: {} })).data.id)
        }
      >
        Duplicate project
      </Button>
      <OpenArchiveButton small onFiles={onFiles} />
      <a
        className={buttonClass({ small: true })}
        href={addressOf(exportProjectMidi, params, {})}
        download=""
        title="Notes, chords, beats and cue points"
      >
        Export MIDI
      </a>
      <Button small onClick={() => setIsDeleting(true)}>
        Delete project
      </Button>
      {isDeleting && (
        <QuestionDialog
          title={`Delete “${project.name}”?`}
          stay="Cancel"
          go="Delete project"
          onAnswer={(isWanted) => {
            setIsDeleting(false);
            if (!isWanted) return;
            void perform('deleted', async () => {
              await call(deleteProject, { params });
              return null;
            });
          }}
        >
          Its edits are lost. The track and its stems are kept.
        </QuestionDialog>
      )}
    </div>
  );
}
