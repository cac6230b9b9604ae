import { writeFileSync } from 'node:fs';
import { envExample } from './env-example.ts';

// Writes `.env.example`; run after a change of the settings.
writeFileSync(new URL('../../../../.env.example', import.meta.url), envExample());
