import { settings } from '../config.ts';

const intro = [
  'Everything a deployment of Stem Studio may set, with its default. Copy to .env in the folder the service is started from, and change what you need; variables of the process win over the file. A name left empty means its default.',
  'Written by packages/server/src/testing/write-env-example.ts from the settings that the features declare.',
];
const longestLine = 120;

/** Returns the text of `.env.example`: every setting in its order with its description and its default. */
export function envExample(): string {
  const blocks = settings.map(
    ({ name, about, default: value }) => `${comment(about.replace(/^[a-z]/, upper))}\n${name}=${value ?? ''}`,
  );
  return `${intro.map(comment).join('\n')}\n\n${blocks.join('\n')}\n`;
}

const upper = (letter: string) => letter.toUpperCase();

function comment(text: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > longestLine) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
