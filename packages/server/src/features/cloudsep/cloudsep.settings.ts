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
  /** The cloud separation service. */
  cloudsep: {
    url: setting('CLOUDSEP_URL', webAddress, {
      default: 'https://www.lalal.ai',
      about: 'where the service answers; only whoever runs the studio can say it',
    }),
    /** Pays for users who have no key of their own; null: they need one. */
    key: optionalSetting(
      'CLOUDSEP_KEY',
      z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 visible characters'),
      { isSecret: true, about: 'a licence key that pays for users who have none of their own' },
    ),
    checksPerMinute: setting('CLOUDSEP_CHECKS_PER_MINUTE', wholeNumber(1, 600), {
      default: '20',
      about: 'how often the service is asked how far tasks are, for each key and over all processes',
    }),
    replySeconds: setting('CLOUDSEP_REPLY_SECONDS', wholeNumber(1, 600), {
      default: '30',
      about: 'how long one reply, or silence while a stem is fetched, may take',
    }),
    taskSeconds: setting('CLOUDSEP_TASK_SECONDS', wholeNumber(1, 86_400), {
      default: '3600',
      about: 'how long a task may take; the job fails then, and Retry goes on waiting for it without paying',
    }),
    concurrency: setting('CLOUDSEP_CONCURRENCY', jobsAtOnce, {
      default: '4',
      about: 'how many separations wait for the service at once, in each process that works',
    }),
  },
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof cloudsepSettings> {}
}
