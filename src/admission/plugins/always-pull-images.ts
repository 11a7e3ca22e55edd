import { aggregate } from '../../errors/aggregate.ts';
import type { Pod, PodSpec } from '../../model/generated/core-v1.ts';
import { formatFieldError, notSupported } from '../../status/field-error.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { onPods } from './pod.ts';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

const specOf = (pod: Pod | undefined): PodSpec => pod?.spec ?? {};
const images = (pod: Pod | undefined): Set<string> =>
  new Set(LISTS.flatMap((list) => (specOf(pod)[list] ?? []).map(({ image = '' }) => image)));

/** Forces the image pull policy Always, so that only pods with credentials for an image can use it. */
export const alwaysPullImages: BuiltinPlugin = {
  handles: onPods('CREATE', 'UPDATE'),
  admit({ operation, object, oldObject }) {
    // Updates without new images keep their policy, which is immutable.
    const known = operation === 'UPDATE' ? images(oldObject) : undefined;
    if (known !== undefined && [...images(object)].every((image) => known.has(image))) return;
    for (const list of LISTS)
      for (const container of specOf(object)[list] ?? []) container.imagePullPolicy = 'Always';
  },
  validate(request) {
    const known = request.operation === 'UPDATE' ? images(request.oldObject) : undefined;
    if (known !== undefined && [...images(request.object)].every((image) => known.has(image))) return;
    const errors = LISTS.flatMap((list) =>
      (specOf(request.object)[list] ?? []).flatMap(({ imagePullPolicy }, index) =>
        imagePullPolicy === 'Always'
          ? []
          : [
              formatFieldError(
                notSupported(`spec.${list}[${index}].imagePullPolicy`, imagePullPolicy, ['Always']),
              ),
            ],
      ),
    );
    if (errors.length > 0) throw admissionForbidden(request, aggregate(errors));
  },
};
