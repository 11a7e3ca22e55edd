import { isDeepStrictEqual } from 'node:util';
import type { ConfigMap } from '../model/generated/core-v1.ts';
import type { Controller, ControllerContext } from '../reconcile/controller.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import { CONFIG_MAPS } from '../reconcile/resources.ts';
import { ignoreSettledErrors } from '../reconcile/settled-errors.ts';
import { controllerQueue } from '../reconcile/work-queue.ts';
import { combineAuthenticationData } from './combine-authentication-data.ts';

const NAMESPACE = 'kube-system';
/** The ConfigMap with which extension API servers authenticate clients of this server. */
export const AUTHENTICATION_MAP = 'extension-apiserver-authentication';
const KEY = `${NAMESPACE}/${AUTHENTICATION_MAP}`;

/** Provides the desired data of the ConfigMap. */
export interface AuthenticationData {
  /** The current data. */
  current(): Readonly<Record<string, string>>;
  /** Calls `changed` whenever {@link AuthenticationData.current} returns different data. */
  onChange(changed: () => void): void;
}

/**
 * Reconciles the ConfigMap, which combines the data of all servers, after changes of the client CA bundles,
 * and when a client modifies or deletes it.
 */
export function authenticationMapController(parts: ControllerContext, data: AuthenticationData): Controller {
  const name = 'cluster-authentication-info';
  const client = parts.client(API_SERVER);
  const maps = parts.objects(CONFIG_MAPS, { name: AUTHENTICATION_MAP });
  const queue = controllerQueue(parts, name, async () => {
    const map = maps.get(KEY) as ConfigMap | undefined;
    const desired = combineAuthenticationData(map?.data ?? {}, data.current(), parts.clock.now());
    const metadata = { namespace: NAMESPACE, name: AUTHENTICATION_MAP };
    if (map === undefined) await ignoreSettledErrors(client.create(CONFIG_MAPS, { metadata, data: desired }));
    else if (!isDeepStrictEqual({ ...map.data }, { ...desired }))
      await ignoreSettledErrors(client.update(CONFIG_MAPS, { ...map, data: desired }));
    return 'done';
  });
  maps.onChange((key) => {
    if (key === KEY) queue.add(KEY);
  });
  data.onChange(() => queue.add(KEY));
  return { name, sources: [maps], queue };
}
