import type { FadeCurve } from '@stem-studio/contract/resources/edit-operation';

/** Names of the curves of fades, as menus show them. */
export const fadeNames: Readonly<Record<FadeCurve | 'none', string>> = {
  none: 'None',
  linear: 'Linear',
  equal_power: 'Equal power',
  exponential: 'Exponential',
  s_curve: 'S-curve',
};
