import { writeFileSync } from 'node:fs';
import { controlsPage } from './controls-page.ts';

// Writes the list of controls to docs/controls.md; run it after changing controls.ts.
writeFileSync(new URL('../../../../docs/controls.md', import.meta.url), controlsPage());
