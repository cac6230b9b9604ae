import type { Quota } from '@stem-studio/contract/resources/usage';
import type { Role } from '@stem-studio/contract/roles';
import type { ApiScope } from '@stem-studio/contract/scopes';

/** Fields that every entry has. */
interface Entry<Action extends string, Details extends object> {
  readonly action: Action;
  /** Acting user; null for the service itself and its command line. */
  readonly actor_user_id: number | null;
  /** Affected user. */
  readonly target_user_id: number | null;
  readonly details: Details;
}

/**
 * All logged actions with their required details. Later features add their actions here. Never contains a key, a
 * password or a token.
 *
 * @spec Audit log
 */
export type AuditEntry =
  | Entry<
      'api_key_created',
      {
        readonly key_id: string;
        readonly scopes: readonly ApiScope[];
        readonly expires_at: string | null;
      }
    >
  | Entry<'api_key_deleted', { readonly key_id: string }>
  | Entry<'user_role_changed', { readonly old_role: Role; readonly new_role: Role }>
  | Entry<'user_quota_changed', { readonly old_quota: Quota; readonly new_quota: Quota }>
  | Entry<'password_link_created', { readonly expires_at: string }>
  | Entry<'password_reset', Record<string, never>>
  | Entry<'user_deactivated', Record<string, never>>
  | Entry<'user_activated', Record<string, never>>
  | Entry<
      'cloud_key_set',
      { readonly provider_type: 'cloudsep'; readonly key_id: string; readonly is_replaced: boolean }
    >
  | Entry<'cloud_key_deleted', { readonly provider_type: 'cloudsep'; readonly key_id: string }>
  | Entry<'catalog_account_linked', Record<string, never>>
  | Entry<'catalog_account_unlinked', Record<string, never>>
  | Entry<
      'network_requested',
      { readonly network: string; readonly model: string; readonly is_licence_accepted: boolean }
    >
  | Entry<'network_removed', { readonly network: string }>
  | Entry<'user_deleted', Record<string, never>>;
