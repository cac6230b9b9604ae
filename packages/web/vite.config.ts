import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Where `npm run dev` finds the service while Vite serves the page. */
const service = process.env['STUDIO_ORIGIN'] ?? 'http://127.0.0.1:4000';
const passOn = ['/api', '/files', '/users', '/export', '/health'];

/** Puts a compressed copy beside each script and style sheet, for the service to send: made once, not at each visit. */
function compressed(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const assets = path.join(dir, 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(js|css|wasm|svg)$/.test(file))) {
        const bytes = readFileSync(path.join(assets, name));
        writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** Modules that the entry imports statically, by their ids. */
const startModules = new Set<string>();

/** Collects a module and all modules that it imports statically. */
function collectStart(id: string, imports: (id: string) => readonly string[]): void {
  if (startModules.has(id)) return;
  startModules.add(id);
  for (const next of imports(id)) collectStart(next, imports);
}

/**
 * Puts all modules that the page needs at its start into one script. Two dozen small scripts, one for each set of lazy
 * parts that share modules, are 6 % larger when compressed.
 */
const startGroup = {
  name(id: string, context: { getModuleInfo(id: string): Rolldown.ModuleInfo | null }) {
    if (startModules.size === 0)
      collectStart(
        path.resolve(import.meta.dirname, 'src/main.tsx'),
        (one) => context.getModuleInfo(one)?.importedIds ?? [],
      );
    return startModules.has(id) ? 'start' : null;
  },
};

export default defineConfig({
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // The page's policy allows only what is served from its own origin: no data: addresses, no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: { output: { codeSplitting: { groups: [startGroup] } } },
    reportCompressedSize: true,
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      ...Object.fromEntries(passOn.map((path) => [path, service])),
      '/socket': { target: service, ws: true },
      '/live': { target: service, ws: true },
    },
  },
});
