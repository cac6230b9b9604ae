// What the commands use without the service: none of these modules loads the database or the HTTP server.
export { catalogRedirectUri } from './catalog-login/catalog-address.ts';
