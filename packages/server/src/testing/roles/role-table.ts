import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { endpoints } from '@stem-studio/contract/service';
import { endpointRoles } from './endpoint-roles.ts';
import { pageRoles } from './page-roles.ts';
import type { RoleRow } from './role.ts';

/** Required access of every route of the service, by method and path. HEAD equals GET. */
export const roleTable: ReadonlyMap<string, RoleRow> = new Map([
  ...Object.entries(endpointRoles).map(([name, row]): [string, RoleRow] => {
    const spec: EndpointSpec = endpoints[name as keyof typeof endpoints];
    return [`${spec.method} ${spec.path}`, { ...row, ...(spec.scope && { scope: spec.scope }) }];
  }),
  ...Object.entries(pageRoles),
]);
