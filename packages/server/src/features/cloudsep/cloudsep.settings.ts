import { z } from 'zod';
import {
  jobsAtOnce,
  optionalSetting,
  type SettingValues,
  setting,
  webAddress,
  wholeNumber,
} from '../../platform/settings.ts';

/** Settings of the cloudsep feature. */
export const cloudsepSettings = {
  /** Settings of the cloud separation service. */
  cloudsep: {
    url: setting('CLOUDSEP_URL', webAddress, {
      default: 'https://www.lalal.ai',
      about: 'address of the service; only the operator can set it',
    }),
    /** Key for users without their own; null requires them to have one. */
    key: optionalSetting(
      'CLOUDSEP_KEY',
      z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 visible characters'),
      { isSecret: true, about: 'licence key for users without a key of their own' },
    ),
    checksPerMinute: setting('CLOUDSEP_CHECKS_PER_MINUTE', wholeNumber(1, 600), {
      default: '20',
      about: 'limit of status requests to the service, per key and for all processes together',
    }),
    replySeconds: setting('CLOUDSEP_REPLY_SECONDS', wholeNumber(1, 600), {
      default: '30',
      about: 'limit for one reply, and for a pause while a stem is downloaded',
    }),
    taskSeconds: setting('CLOUDSEP_TASK_SECONDS', wholeNumber(1, 86_400), {
      default: '3600',
      about: 'limit for one task; then the job fails, and Retry continues to wait without paying again',
    }),
    concurrency: setting('CLOUDSEP_CONCURRENCY', jobsAtOnce, {
      default: '4',
      about: 'cloud separations that run at a time, per worker process',
    }),
  },
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof cloudsepSettings> {}
}
