import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the service while Vite serves the page. */
const service = process.env['STUDIO_ORIGIN'] ?? 'http://127.0.0.1:4000';
const passOn = ['/api', '/files', '/users', '/export', '/health'];

export default defineConfig({
  plugins: [react()],
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
    },
  },
});
