import type { MixOutputs } from '../player/mix-player.ts';
import { createClickOutput } from './click-output.ts';
import { createSongStripNode } from './song-strip-node.ts';

/** Outputs of a mix player in the browser. */
export const mixOutputs: MixOutputs = { createStrip: createSongStripNode, createClicks: createClickOutput };
