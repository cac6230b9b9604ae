import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { arrangeProject } from '../editor/arrangement.ts';
import { EditMixer } from '../editor/edit-mixer.ts';
import { CHUNK_FRAMES, chunkCount } from '../sources/chunk.ts';

/** Sample rate of the rig: 1 ms has 44 frames. */
export const editRateHz = 44_000;

/** Returns the state after edits of a project of these stems. */
export function editedProject(
  stems: readonly StemType[],
  seconds: number,
  edits: readonly Edit[] = [],
): ProjectState {
  const first = createProjectState(stems.map((stem_type) => ({ stem_type, duration_ms: seconds * 1000 })));
  return edits.reduce<ProjectState>(
    (state, edit, index) => applyEdit(state, { ...edit, id: `edit-${index}` }),
    first,
  );
}

/** An edit mixer with loaded stereo stems. */
export interface EditRig {
  readonly mixer: EditMixer;
  /** Plays another state from now on. */
  readonly show: (state: ProjectState) => void;
  /** Renders frames in blocks of `block`, left and right. */
  readonly render: (frames: number, block?: number) => readonly [Float32Array, Float32Array];
}

/** Opens a mixer with the samples of each stem by its position in frames; all are loaded unless `isLoaded` is false. */
export function openEditRig(
  state: ProjectState,
  sampleOf: (stem: StemType, frame: number) => number,
  { isLoaded = true } = {},
): EditRig {
  const sources = state.sources.map(({ source }) => source);
  const frames = Math.ceil((state.duration_ms * editRateHz) / 1000);
  const mixer = new EditMixer(editRateHz);
  mixer.apply({ type: 'setup', sources: sources.map(() => ({ frames, channels: 2 })) });
  const show = (next: ProjectState) =>
    mixer.apply({ type: 'arrangement', arrangement: arrangeProject(next, sources, editRateHz) });
  for (const [source, stem] of sources.entries())
    for (let index = 0; index < (isLoaded ? chunkCount(frames) : 0); index++) {
      const samples = new Float32Array(2 * CHUNK_FRAMES);
      for (let n = 0; n < CHUNK_FRAMES; n++)
        samples[2 * n] = samples[2 * n + 1] = sampleOf(stem, index * CHUNK_FRAMES + n);
      mixer.apply({ type: 'chunk', source, index, samples });
    }
  show(state);
  return {
    mixer,
    show,
    render(count, block = 128) {
      const left = new Float32Array(count);
      const right = new Float32Array(count);
      for (let from = 0; from < count; from += block) {
        const size = Math.min(block, count - from);
        mixer.process(left.subarray(from, from + size), right.subarray(from, from + size), size);
      }
      return [left, right];
    },
  };
}
