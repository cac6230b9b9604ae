import { type SettingValues, setting, wholeNumber } from '../../platform/settings.ts';

/** Settings of the tracks feature. */
export const tracksSettings = {
  /** Days for which a deleted track stays in the trash. */
  trashDays: setting('TRASH_DAYS', wholeNumber(0, 3650, 'must be a whole number of days from 0 to 3650'), {
    default: '30',
    about:
      'days for which deleted tracks stay in the trash, where they can be restored and count as used storage',
  }),
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof tracksSettings> {}
}
