import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { createQueryClient } from './client/queries.ts';
import { App } from './panels/dashboard/app.tsx';

// The page's policy forbids code made from text, which the schemas would otherwise try for speed.
z.config({ jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('the page must have an element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient()}>
        <App />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
