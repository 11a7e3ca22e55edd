import type { Logger } from '../observability/log.ts';
import type { AdmissionPlugin } from '../request/admission.ts';

const ADMISSION_GROUP = 'admissionregistration.k8s.io';

/**
 * Kinds that are stored but have no effect in this version: group and resource, with the missing effect.
 */
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  [`${ADMISSION_GROUP}/validatingwebhookconfigurations`, 'their webhooks are not called'],
  [`${ADMISSION_GROUP}/mutatingwebhookconfigurations`, 'their webhooks are not called'],
]);

/**
 * Logs a warning at the first write of each kind that has no effect. Never rejects.
 */
export function storedOnlyNotice(logger: Logger): AdmissionPlugin {
  const logged = new Set<string>();
  return {
    name: 'StoredOnlyNotice',
    handles: (operation, group, resource, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      subresource === '' &&
      WITHOUT_EFFECT.has(`${group}/${resource}`),
    validate({ resource: { group, resource }, name, dryRun }) {
      const kind = `${group}/${resource}`;
      if (dryRun || logged.has(kind)) return;
      logged.add(kind);
      logger.warn(
        `${resource} are stored and not yet acted upon in this version: ${WITHOUT_EFFECT.get(kind)}`,
        { group, first: name },
      );
    },
  };
}
