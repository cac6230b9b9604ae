import { runService } from './run-service.ts';

await runService(process.argv[2] ?? '');
