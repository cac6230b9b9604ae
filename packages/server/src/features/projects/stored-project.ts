import { type Edit, edit } from '@stem-studio/contract/resources/edit-operation';
import { type ProjectState, projectState } from '@stem-studio/contract/resources/project';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Stored kind and parameters of an edit operation. */
export const storedEdit = storedJson<Edit>('edit operation', edit);

/** Stored state of a project. */
export const storedProjectState = storedJson<ProjectState>('state of a project', projectState);
