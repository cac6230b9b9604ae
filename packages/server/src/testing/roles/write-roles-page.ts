import { writeFileSync } from 'node:fs';
import { rolesPage } from './roles-page.ts';

// Writes the table of permissions into docs/roles.md; run after a change of the table.
writeFileSync(new URL('../../../../../docs/roles.md', import.meta.url), rolesPage());
