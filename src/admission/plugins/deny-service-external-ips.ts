import type { Service } from '../../model/generated/core-v1.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** Rejects new external IPs of Services: they could intercept other traffic. */
export const denyServiceExternalIPs: BuiltinPlugin = {
  handles: (operation, group, resource, subresource) =>
    group === '' &&
    resource === 'services' &&
    subresource === '' &&
    (operation === 'CREATE' || operation === 'UPDATE'),
  validate(request) {
    const allowed = new Set((request.oldObject as Service | undefined)?.spec?.externalIPs ?? []);
    const requested = (request.object as Service).spec?.externalIPs ?? [];
    if (requested.some((address) => !allowed.has(address)))
      throw admissionForbidden(request, 'Use of external IPs is denied by admission control');
  },
};
