/** Numbers of the sampler's pads, as they are in addresses. */
export const padNumbers = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;
/** One of {@link padNumbers}. */
export type PadNumber = (typeof padNumbers)[number];

/** Controls of a pad of the sampler, by their name after `sampler.<1…8>.`. */
export const samplerPadControls = {
  trigger: {
    kind: 'button',
    press: 'Plays the pad, at the velocity of the press: once, while held, or round until the next press',
    release: 'Stops a pad that plays while it is held',
    lit: 'the pad plays, or waits for its beat',
  },
  stop: { kind: 'button', press: 'Stops the pad', release: null, lit: null },
  gain: {
    kind: 'continuous',
    about: 'Gain of the pad',
    unit: 'dB',
    range: { min: -24, max: 12, rest: 0, step: 0.5 },
    taper: 'centred',
    choices: [],
  },
} as const;

/** Controls of the sampler, by their name after `sampler.`. */
export const samplerControls = {
  volume: {
    kind: 'continuous',
    about: 'Volume of the sampler',
    unit: 'ratio',
    range: { min: 0, max: 1, rest: 1, step: 0.05 },
    taper: 'linear',
    choices: [],
  },
  headphones: { kind: 'toggle', about: 'Sampler in the headphones' },
  stop: { kind: 'button', press: 'Stops all pads', release: null, lit: null },
} as const;

/** Controls of the microphone, by their name after `mixer.`. */
export const microphoneControls = {
  microphone: { kind: 'toggle', about: 'Microphone on; off releases the device' },
  microphone_gain: {
    kind: 'continuous',
    about: 'Gain of the microphone',
    unit: 'dB',
    range: { min: -12, max: 30, rest: 0, step: 0.5 },
    taper: 'centred',
    choices: [],
  },
  microphone_low_cut: { kind: 'toggle', about: 'Low-cut of the microphone at 100 Hz' },
  microphone_talk_over: { kind: 'toggle', about: 'Music is turned down while somebody speaks' },
  microphone_threshold: {
    kind: 'continuous',
    about: 'Level of the voice from which the music is turned down',
    unit: 'dB',
    range: { min: -60, max: -6, rest: -36, step: 1 },
    taper: 'linear',
    choices: [],
  },
  microphone_depth: {
    kind: 'continuous',
    about: "Change of the music's level while somebody speaks",
    unit: 'dB',
    range: { min: -36, max: 0, rest: -12, step: 1 },
    taper: 'linear',
    choices: [],
  },
  microphone_attack: {
    kind: 'continuous',
    about: 'Time in which the music is turned down',
    unit: 'ms',
    range: { min: 5, max: 500, rest: 60, step: 5 },
    taper: 'linear',
    choices: [],
  },
  microphone_release: {
    kind: 'continuous',
    about: 'Time in which the music is turned up again',
    unit: 'ms',
    range: { min: 50, max: 3000, rest: 800, step: 50 },
    taper: 'linear',
    choices: [],
  },
  microphone_recorded: { kind: 'toggle', about: 'Microphone in the recording' },
} as const;
