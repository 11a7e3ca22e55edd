import { errors } from '../../status/errors.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import { retryLookup, type Wait } from '../retry-lookup.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** Namespaces that must not be deleted. */
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Milliseconds before the second look-up of a missing namespace on create: it may be created concurrently.
 */
const MISSING_NAMESPACE_WAIT = 50;

export interface NamespaceLifecycleOptions extends Pick<AdmissionListers, 'namespace'> {
  readonly wait: Wait;
}

/** Rejects creation of objects in absent or terminating namespaces. */
export function namespaceLifecycle({ namespace: find, wait }: NamespaceLifecycleOptions): BuiltinPlugin {
  return {
    handles(operation, group, resource, subresource) {
      if (group === '' && resource === 'namespaces') return operation === 'DELETE' && subresource === '';
      // Access reviews create nothing in the namespace.
      if (group === 'authorization.k8s.io' && resource === 'localsubjectaccessreviews') return false;
      return operation === 'CREATE' || operation === 'UPDATE';
    },
    admit(request) {
      const { operation, namespace, name, resource } = request;
      if (operation === 'DELETE') {
        if (IMMORTAL.has(name)) throw errors.forbidden(resource, name, 'this namespace may not be deleted');
        return;
      }
      if (namespace === '') return;
      const attempts = operation === 'CREATE' ? 2 : 1;
      const lookup = retryLookup(() => find(namespace), { attempts, interval: MISSING_NAMESPACE_WAIT, wait });
      return mapMaybePromise(lookup, (found) => {
        if (found === undefined) throw errors.notFound({ group: '', resource: 'namespaces' }, namespace);
        if (operation !== 'CREATE' || found.status?.phase !== 'Terminating') return;
        throw admissionForbidden(
          request,
          `unable to create new content in namespace ${namespace} because it is being terminated`,
          [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${namespace} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        );
      });
    },
  };
}
