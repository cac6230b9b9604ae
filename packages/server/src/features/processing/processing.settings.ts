import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { concurrency } from '@stem-studio/contract/limits';
import { networkDevice, networkDevices } from '@stem-studio/contract/separation-weights';
import { stemBitDepth } from '@stem-studio/contract/separator';
import { z } from 'zod';
import {
  jobsAtOnce,
  onOff,
  optionalSetting,
  type Setting,
  type SettingValues,
  setting,
  webAddress,
  wholeNumber,
} from '../../platform/settings.ts';

/** Catalogue file of the operator: an absolute path, or one relative to the working folder; null for the one in the tree. */
const modelCatalogue: Setting<string | null> = {
  name: 'MODEL_CATALOGUE',
  about: 'A catalogue of networks of your own (JSON), in place of the one that comes with the studio',
  default: null,
  isSecret: false,
  read: (text, { workingFolder }) => (text === null ? null : resolve(workingFolder, text)),
};

/** Settings of the processing feature. */
export const processingSettings = {
  stemBitDepth: setting('STEM_BIT_DEPTH', z.string().pipe(stemBitDepth), {
    default: '16',
    about:
      'Depth of stem files: 16, 24 or 32f. Where a stem would exceed full scale, all stems of that job are 32f',
  }),
  separationDevice: setting(
    'SEPARATION_DEVICE',
    z.string().pipe(z.enum(networkDevice.options, { error: `must be ${networkDevices.join(', ')}` })),
    {
      default: 'cpu',
      about:
        'Where networks run: cpu, auto (the first that works), cuda, coreml, dml or webgpu. What does not work here becomes cpu',
    },
  ),
  separationMemoryMb: optionalSetting('SEPARATION_MEMORY_MB', wholeNumber(256, 4_194_304), {
    about: "The most memory that one of them may use, in MB. Default: half of the machine's",
    fallback: () => Math.max(1024, Math.floor(totalmem() / 2e6)),
  }),
  separationRestSeconds: setting('SEPARATION_REST_SECONDS', wholeNumber(0, 86_400), {
    default: '60',
    about:
      "How many seconds a separation's process waits for the next job, with what it has loaded. 0: each job has one of its own",
  }),
  modelMirrorUrl: optionalSetting('MODEL_MIRROR_URL', webAddress, {
    about:
      'Address of a mirror from which networks are downloaded, as <mirror>/<host>/<path>. Default: the hosts in the catalogue',
  }),
  modelCatalogue,
  modelReplySeconds: setting('MODEL_REPLY_SECONDS', wholeNumber(1, 3600), {
    default: '30',
    about: 'A download of a network is interrupted after this time almost without data, in seconds',
  }),
  autoSeparate: setting('AUTO_SEPARATE', onOff, {
    default: 'on',
    about: 'Whether a separation follows each import: on or off',
  }),
  processingConcurrency: setting('PROCESSING_CONCURRENCY', jobsAtOnce, {
    default: String(concurrency.processing),
    about: 'Separations at a time, per process',
  }),
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof processingSettings> {}
}
