import { errors } from '../../status/errors.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** Rejects requests in absent namespaces. */
export function namespaceExists({ namespace: find }: Pick<AdmissionListers, 'namespace'>): BuiltinPlugin {
  return {
    handles: (operation, group, resource) =>
      operation !== 'CONNECT' && !(group === '' && resource === 'namespaces'),
    validate({ namespace }) {
      if (namespace === '') return;
      return mapMaybePromise(find(namespace), (found) => {
        if (found === undefined) throw errors.notFound({ group: '', resource: 'namespaces' }, namespace);
      });
    },
  };
}
