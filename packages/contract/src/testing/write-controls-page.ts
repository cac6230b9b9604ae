import { writeFileSync } from 'node:fs';
import { controlsPage } from './controls-page.ts';

// Writes the list of controls into docs/controls.md, after a change of controls.ts.
writeFileSync(new URL('../../../../docs/controls.md', import.meta.url), controlsPage());
