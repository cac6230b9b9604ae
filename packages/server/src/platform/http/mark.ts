import { type Html, html } from './html.ts';

/** The mark of the product: four bars in the colours of the stems. Decorative, because the name stands beside it. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
<rect x="3" y="9" width="3" height="6" rx="1.5"/><rect x="8" y="4" width="3" height="16" rx="1.5"/><rect x="13" y="7" width="3" height="10" rx="1.5"/><rect x="18" y="10" width="3" height="4" rx="1.5"/>
</svg>`;
