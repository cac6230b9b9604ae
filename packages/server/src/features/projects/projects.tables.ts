import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { Json, MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Table of projects, each of one track. */
export interface ProjectsTable {
  id: string;
  track_id: string;
  name: string;
  job_id: string;
  operations: number;
  position: number;
  version: number;
  created_at: Moment;
  updated_at: Moment;
}

/** Logs of projects. Operations that were dropped from a log have no number. */
export interface EditOperationsTable {
  project_id: string;
  id: string;
  number: number | null;
  edit: Json<Edit>;
  applied_at: Moment;
  dropped_at: MaybeMoment;
}

/** States of projects after some of their operations. */
export interface ProjectSnapshotsTable {
  project_id: string;
  number: number;
  state: Json<ProjectState>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    projects: ProjectsTable;
    edit_operations: EditOperationsTable;
    project_snapshots: ProjectSnapshotsTable;
  }
}
