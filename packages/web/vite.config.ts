import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // The page's policy allows only what is served from its own origin: no data: addresses, no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
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
