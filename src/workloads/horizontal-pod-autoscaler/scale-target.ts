import type { Scale } from '../../model/generated/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler } from '../../model/generated/autoscaling-v2.ts';
import { parseApiVersion } from '../../model/object.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import { noMatches, type ServedKinds } from '../../reconcile/scale.ts';

/** The scale of what an autoscaler scales, with the resource that it is of. */
export interface ScaleTarget {
  readonly resource: Resource;
  readonly scale: Scale;
}

/**
 * Reads the scale of an autoscaler's target, of the version that has it.
 * @throws Error that says why there is none: of the preferred version
 */
export async function readTarget(
  client: Pick<Client, 'getExisting'>,
  kinds: ServedKinds,
  { metadata, spec }: HorizontalPodAutoscaler,
): Promise<ScaleTarget> {
  const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  let failure: unknown = noMatches(parsed.group, kind);
  for (const [index, resource] of kinds.find(parsed.group, kind).entries())
    try {
      const scale = await client.getExisting(resource, metadata?.namespace ?? '', name, {
        subresource: 'scale',
      });
      return { resource, scale: scale as Scale };
    } catch (error) {
      if (index === 0) failure = error;
    }
  throw failure;
}
