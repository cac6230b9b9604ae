import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Scope } from '@stem-studio/audio/base/scope';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod/v4/core';
import { App } from './app/app.tsx';
import { watchLoads } from './client/load-failure.ts';
import { keepPageCopy, leaveOfflineCopy } from './client/page-copy.ts';
import { createQueryClient } from './client/queries.ts';
import { watchReach } from './client/service-reach.ts';
import { LazyPart } from './ui/lazy-part.tsx';

// The content security policy forbids code generation, which zod would try otherwise.
config({ jitless: true });

// Never disposed: it lasts as long as the page.
const page = new Scope();
watchLoads(page);
watchReach(page);
keepPageCopy(page);
leaveOfflineCopy(page);

const root = document.getElementById('root');
if (!root) throw new Error('the page must have an element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient()}>
        <LazyPart name="The page">
          <App />
        </LazyPart>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
