import type { ControlSpec } from '../control-spec.ts';
import { controlIds, deckControls, mixerControls, stemControls } from '../controls.ts';
import { effectSpecs, effectTypes, effectValue } from '../decks/effects.ts';
import { effectControls, masterEffectControls } from '../effect-controls.ts';
import { stemTypes } from '../resources/stem.ts';
import { microphoneControls, samplerControls, samplerPadControls } from '../sampler-controls.ts';

const units: Readonly<Record<string, string>> = {
  percent: '%',
  semitones: 'semitones',
  dB: 'dB',
  ratio: 'ratio',
  bipolar: 'bipolar',
  choice: 'index',
  ms: 'ms',
};

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const number = (value: number) => String(value).replace('-', '−');

/** Returns the table of continuous controls with their range and unit. */
function continuousTable(prefix: string, specs: Readonly<Record<string, ControlSpec>>): string {
  const rows = Object.entries(specs).flatMap(([name, spec]) => {
    if (spec.kind !== 'continuous') return [];
    const { min, max, rest, step } = spec.range;
    const choices = spec.choices.length > 0 ? `: ${spec.choices.join(', ')}` : '';
    const values = [`${number(min)} to ${number(max)}`, units[spec.unit] ?? '', number(rest), number(step)];
    return [[`\`${prefix}${name}\``, ...values, spec.taper, `${spec.about}${choices}`]];
  });
  return table([['address', 'range', 'unit', 'rest', 'step', 'taper', 'value'], ...rows]);
}

/** Returns the table of toggles and buttons with the effects of press and release. */
function switchTable(prefix: string, specs: Readonly<Record<string, ControlSpec>>): string {
  const rows = Object.entries(specs).flatMap(([name, spec]) => {
    const address = `\`${prefix}${name}\``;
    if (spec.kind === 'toggle') return [[address, 'toggle', lowerFirst(spec.about), 'flips it', '']];
    if (spec.kind === 'button')
      return [[address, 'button', spec.lit ?? 'pressed', spec.press, spec.release ?? '']];
    return [];
  });
  return table([['address', 'kind', 'reads 1 while', 'press', 'release'], ...rows]);
}

/** Returns the text of `docs/controls.md`: every control with its address, kind, range and unit. */
export function controlsPage(): string {
  const parts = [
    { title: 'Decks', about: 'Each for `deck.a` and `deck.b`.', prefix: 'deck.a.', specs: deckControls },
    {
      title: 'Stems of a deck',
      about: `Each for \`deck.a\` and \`deck.b\` and for the stems ${stemTypes.map((type) => `\`${type}\``).join(', ')}. Without effect while the deck has no such stem.`,
      prefix: 'deck.a.stem.vocals.',
      specs: stemControls,
    },
    {
      title: 'Effects of a deck',
      about: 'Each for `deck.a` and `deck.b` and for `effect_1` and `effect_2`.',
      prefix: 'deck.a.effect_1.',
      specs: effectControls,
    },
    { title: 'Mixer', about: '', prefix: 'mixer.', specs: { ...mixerControls, ...microphoneControls } },
    {
      title: 'Effect on the master',
      about: '',
      prefix: 'mixer.effect.',
      specs: masterEffectControls,
    },
    { title: 'Sampler', about: '', prefix: 'sampler.', specs: samplerControls },
    {
      title: 'Pads of the sampler',
      about: 'Each for `sampler.1` to `sampler.8`. The value of a press is its velocity.',
      prefix: 'sampler.1.',
      specs: samplerPadControls,
    },
  ];
  return `# Controls

Written by \`node packages/contract/src/testing/write-controls-page.ts\` from \`packages/contract/src/controls.ts\`. \`controls-page.test.ts\` fails when this page is out of date.

There are ${controlIds.length} controls. Screen and keyboard read and move them through one table, \`createDecksControls\` in \`packages/web/src/state/decks\`: each control has \`read\`, \`set\`, \`subscribe\`, and \`position\` and \`setPosition\` for hardware whose knobs and faders go from 0 to 1.

- **Continuous**: \`set\` takes a value in the unit, limited to the range. The taper maps values to positions: \`linear\`, or \`centred\` with 0 in the middle of the travel. The position of \`tempo\` covers the selected tempo range.
- **Toggle**: 1 is on, 0 is off. Setting the state that it has changes nothing; a button on the screen or a key flips it.
- **Button**: 1 presses it, each time, and 0 releases it. It reads 1 while it is lit.

${parts
  .map(({ title, about, prefix, specs }) =>
    [`## ${title}`, about, continuousTable(prefix, specs), switchTable(prefix, specs)]
      .filter((part) => part !== '')
      .join('\n\n'),
  )
  .join('\n\n')}

## Parameters of effects

The range of each parameter at positions 0 to 1, and the positions that the macro knob moves it between.

${effectTable()}
`;
}

/** Returns the table of the parameters of all types of effects. */
function effectTable(): string {
  const rounded = (value: number) => number(Math.round(value * 100) / 100);
  const rows = effectTypes.flatMap((type) =>
    effectSpecs[type].parameters.map((spec, index) => {
      const [from, to] = [effectValue(spec, 0), effectValue(spec, 1)].map((value) =>
        spec.unit === 'choice'
          ? (spec.choices[value] ?? '')
          : rounded(value * (spec.unit === 'percent' ? 100 : 1)),
      );
      const unit = { percent: ' %', choice: '' }[spec.unit as string] ?? ` ${spec.unit}`;
      return [
        effectSpecs[type].label,
        `\`parameter_${index + 1}\``,
        spec.name,
        `${from} to ${to}${unit}${spec.isLogarithmic ? ', logarithmic' : ''}`,
        spec.macro ? spec.macro.join(' to ') : 'not moved',
      ];
    }),
  );
  return table([['effect', 'address', 'parameter', 'value', 'by the macro'], ...rows]);
}

/** Returns a Markdown table with aligned columns; the first row is its header. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length), 3));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
}
