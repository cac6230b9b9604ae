import { separationModelNames, separationModels } from '@stem-studio/contract/separation-models';
import type { Command } from './command.ts';

/** Lists the models of the local engine. */
export const models: Command = {
  name: 'models',
  words: [],
  summary: 'List the separation models',
  options: { json: { type: 'boolean', help: 'As JSON' } },
  run(given, terminal) {
    const all = separationModelNames.map((name) => {
      const { stemTypes, description, available } = separationModels[name];
      return { name, available, stems: stemTypes, description };
    });
    if (given.has('json')) terminal.print(JSON.stringify(all));
    else
      for (const { name, stems, description, available } of all)
        terminal.print(`${available ? '✔' : '–'} ${name.padEnd(12)} ${stems.length} stems  ${description}`);
    return Promise.resolve(0);
  },
};
