import type { KubernetesObject } from '../model/object.ts';
import type { RequestContext } from '../request/context.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import { isLarge, recordLarge } from '../steps/run.ts';

/** Marks a request as large when its object is large, for example because of defaults. */
export function recordObjectSize(
  request: RequestContext,
  { schema }: ServedResource,
  object: KubernetesObject,
): void {
  if (!isLarge(request) && schema.isSmall?.(object) === false) recordLarge(request);
}
