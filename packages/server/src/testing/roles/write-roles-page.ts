import { writeFileSync } from 'node:fs';
import { rolesPage } from './roles-page.ts';

// Writes who may call what into docs/roles.md, after a change of the table.
writeFileSync(new URL('../../../../../docs/roles.md', import.meta.url), rolesPage());
