import { type SettingValues, setting, wholeNumber } from '../../platform/settings.ts';

const quota = (max: number) => wholeNumber(0, max, `must be a whole number from 0 to ${max} (0 is no limit)`);

/** Settings of the quotas feature. */
export const quotasSettings = {
  /** Quotas of users without individual ones; 0 is no limit. */
  quotas: {
    /** Stored bytes. */
    storageBytes: setting(
      'QUOTA_STORAGE_GB',
      quota(1_000_000).transform((gigabytes) => gigabytes * 2 ** 30),
      { default: '250', about: 'audio and stems of each user, in GB of 2^30 bytes' },
    ),
    tracks: setting('QUOTA_TRACKS', quota(10_000_000), { default: '50000', about: 'tracks in each library' }),
    /** Waiting and running jobs. */
    queuedJobs: setting('QUOTA_QUEUED_JOBS', quota(10_000_000), {
      default: '10000',
      about: 'waiting and running jobs of each user',
    }),
    /** Stored separations, previews included. */
    stemSets: setting('QUOTA_STEM_SETS', quota(10_000_000), {
      default: '5000',
      about: 'stored separations of each user, previews included',
    }),
  },
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof quotasSettings> {}
}
