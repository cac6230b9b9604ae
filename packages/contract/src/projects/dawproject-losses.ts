import type { Clip, ProjectState } from '../resources/project.ts';

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/**
 * Returns what a DAWproject of a project does not hold, as sentences for its user; none if it holds everything.
 *
 * @spec DAWproject export
 */
export function dawprojectLosses({ lanes, reverb }: ProjectState): string[] {
  const clips = lanes.flatMap((lane) => lane.clips);
  const number = (is: (clip: Clip) => boolean) => clips.filter(is).length;
  const reversed = number(({ is_reversed }) => is_reversed);
  const curved = number((clip) =>
    [clip.fade_in, clip.fade_out].some(({ length_ms, curve }) => length_ms > 0 && curve !== 'linear'),
  );
  const equalised = lanes.filter(({ eq }) => Object.values(eq).some((db) => db !== 0)).length;
  const compressed = lanes.filter(({ compressor }) => compressor !== null).length;
  const losses: string[] = [];
  if (reversed > 0)
    losses.push(
      `${counted(reversed, 'reversed clip')}: the same part plays forwards until you reverse it there.`,
    );
  if (curved > 0)
    losses.push(`The curves of fades on ${counted(curved, 'clip')}: only their lengths are written.`);
  if (equalised > 0)
    losses.push(
      `The exact equaliser of ${counted(equalised, 'lane')}: it is written as two shelves and a bell.`,
    );
  if (compressed > 0)
    losses.push(`The soft knee of ${counted(compressed, 'compressor')}: the other values are written.`);
  if (lanes.some(({ reverb_send }) => reverb_send > 0))
    losses.push(
      `The reverb itself: its sends lead to an empty effect track, for a reverb of ${reverb.decay_s} s there.`,
    );
  if (lanes.some((lane) => lane.notes.length > 0))
    losses.push('The instruments of notes: their tracks have none.');
  return losses;
}
