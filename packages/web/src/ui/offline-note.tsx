import { serviceReach } from '../client/service-reach.ts';
import menuStyles from './menu.module.css';
import { useStore } from './use-store.ts';

/** Whether the service is not reachable, so that items of menus that need it are disabled. */
export function useIsOffline(): boolean {
  return useStore(serviceReach, (state) => !state.isReachable);
}

/** Line in a menu that says why items are disabled; nothing while the service is reachable. */
export function OfflineNote() {
  return (
    useIsOffline() && (
      <p className={menuStyles['note']} role="status">
        The studio is not reachable. What needs it works again when it is back.
      </p>
    )
  );
}
