import type { FastifyInstance } from 'fastify';

/**
 * Returns every mounted route, as `GET /path/:name`; HEAD is included in GET. Parsed from the route tree that the
 * router prints.
 */
export function listMountedRoutes(app: FastifyInstance): string[] {
  const routes: string[] = [];
  const parts: string[] = [];
  for (const line of app.printRoutes().split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)(?:├── |└── )(\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') continue;
    parts.splice(indent.length / 4);
    parts.push(part);
    for (const method of methods.split(', '))
      if (method !== '' && method !== 'HEAD') routes.push(`${method} ${parts.join('')}`);
  }
  return routes.toSorted();
}
