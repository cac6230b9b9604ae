// `node tools/decisions-index.ts` writes docs/decisions/README.md, the index of all decisions.
import { writeFileSync } from 'node:fs';
import { root } from './command.ts';
import { decisionsIndex, indexOfDecisions, readDecision } from './rules/decisions.ts';
import { listDecisions, readTexts } from './rules/source.ts';

const pages = readTexts(root, listDecisions(root));
const index = indexOfDecisions(pages.flatMap((page) => readDecision(page) ?? []));
writeFileSync(`${root}/${decisionsIndex}`, index);
