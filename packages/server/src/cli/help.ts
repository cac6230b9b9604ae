import type { Command, CommandOption } from './command.ts';

const exitCodes = 'Exit codes: 0 done, 1 it failed, 2 the command was not understood, 130 interrupted.';

function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function usageOf(command: Command): string {
  const options = Object.keys(command.options).length > 0 ? ['[OPTIONS]'] : [];
  return ['studio', command.name, ...command.operands, ...options].join(' ');
}

function optionRow([name, option]: [string, CommandOption]): [string, string] {
  const initial = option.default === undefined ? '' : ` (${option.default} unless given)`;
  return [`--${name}${option.value === undefined ? '' : ` ${option.value}`}`, `${option.help}${initial}`];
}

/** Returns the help of one command, or the list of all commands. */
export function helpText(commands: readonly Command[], command: Command | null): string {
  if (!command) {
    const rows = commands.map((each): [string, string] => [
      [each.name, ...each.operands].join(' '),
      each.summary,
    ]);
    const lines = ['Usage: studio COMMAND [OPTIONS]', '', ...inColumns(rows), ''];
    return [
      ...lines,
      '"studio COMMAND --help" describes one, "studio --version" prints the version.',
      exitCodes,
    ].join('\n');
  }
  const options = inColumns(Object.entries(command.options).map(optionRow));
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${command.summary}.`,
    ...(options.length > 0 ? ['', ...options] : []),
    ...(command.notes ? ['', ...command.notes] : []),
    '',
    exitCodes,
  ].join('\n');
}
