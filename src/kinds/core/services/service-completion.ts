import { type AddressFamily, familyName, parseAddressSloppy } from '../../../addresses/address.ts';
import { findDelimitedField } from '../../../codec/protobuf-fields.ts';
import type { Service } from '../../../model/generated/core-v1.ts';
import type { StoredCompletion } from '../../strategy.ts';
import { synchronizeClusterAddresses } from './service-normalize.ts';
import { isExternalName, isHeadless } from './service-rules.ts';

/** Numbers of the fields of ServiceSpec. */
const TYPE = 4;
const FAMILIES = 19;
const INTERNAL_POLICY = 22;

/**
 * What kube-apiserver changes in a Service whenever it reads it: Services of releases before 1.20 have no address
 * families, and those that became an external name may have kept their internal traffic policy.
 * @param primary returns the first family of the server
 */
export const serviceCompletion = (primary: () => AddressFamily): StoredCompletion => ({
  isIncomplete(message) {
    const spec = findDelimitedField(message, 2);
    if (spec === undefined) return true;
    const type = findDelimitedField(spec, TYPE);
    return type !== undefined && Buffer.from(type).toString() === 'ExternalName'
      ? findDelimitedField(spec, INTERNAL_POLICY) !== undefined
      : findDelimitedField(spec, FAMILIES) === undefined;
  },
  complete(service: Service) {
    synchronizeClusterAddresses(service, undefined);
    if (isExternalName(service)) delete service.spec?.internalTrafficPolicy;
    else setFamilies(service, primary());
  },
});

function setFamilies(service: Service, primary: AddressFamily): void {
  const spec = service.spec!;
  if ((spec.ipFamilies?.length ?? 0) > 0) return;
  if (isHeadless(service)) {
    const hasSelector = Object.keys(spec.selector ?? {}).length > 0;
    spec.ipFamilies = hasSelector ? [primary] : [primary, primary === 'IPv4' ? 'IPv6' : 'IPv4'];
  } else
    spec.ipFamilies = (spec.clusterIPs ?? []).map((address) => {
      const parsed = parseAddressSloppy(address);
      return parsed === undefined ? 'IPv4' : familyName(parsed);
    });
  if (spec.ipFamilies.length === 0) delete spec.ipFamilies;
  else spec.ipFamilyPolicy = spec.ipFamilies.length === 1 ? 'SingleStack' : 'RequireDualStack';
}
