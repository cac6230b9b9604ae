import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState, type ProjectStem } from '@stem-studio/contract/projects/project-state';
import type { EditManifest } from '@stem-studio/contract/resources/edit-manifest';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';

/** Returns the state of whole stems after the edits of a manifest, with its volumes, pans, mutes and solos. */
export function manifestState(manifest: EditManifest, stems: readonly ProjectStem[]): ProjectState {
  const { volumes, pans, mutes, solos, edits } = manifest;
  const edited = edits.reduce<ProjectState>(
    (state, edit, index) => applyEdit(state, { ...edit, id: `edit-${index}` }),
    createProjectState(stems),
  );
  return {
    ...edited,
    lanes: edited.lanes.map((lane) => {
      const stem = lane.id as StemType;
      return {
        ...lane,
        volume: volumes[stem] ?? lane.volume,
        pan: pans[stem] ?? lane.pan,
        is_muted: lane.is_muted || mutes.includes(stem),
        is_soloed: lane.is_soloed || solos.includes(stem),
      };
    }),
  };
}
