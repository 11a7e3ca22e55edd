import type { RequestContext } from '../../request/context.ts';
import { replay } from '../../steps/replay.ts';
import { runInTurns } from '../../steps/run.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { Write } from './write.ts';

/** More warnings are not added: far fewer fit into a response. */
const MAXIMUM_WARNINGS = 4096;

/**
 * Adds the warnings of the kind to the request. Updates of subresources that write a part of the object do not warn
 * about the rest.
 * Reads: object, old, view.
 */
export function warn({ context, object, old, view }: Write): MaybePromise<void> {
  const { request, resource, subresource } = context;
  const { strategy } = resource;
  const isWhole = old === undefined || subresource === '' || subresource === 'scale';
  if (!isWhole) {
    const find = strategy.subresourceWarnings?.[subresource];
    return find && addWarnings(request, () => find(object, view));
  }
  if (strategy.warnings === undefined) return;
  return addWarnings(request, () => strategy.warnings!(object, old, view));
}

async function addWarnings(request: RequestContext, find: () => readonly string[]): Promise<void> {
  for (const warning of await runInTurns(request.turns, replay(find))) {
    if (request.warnings.size >= MAXIMUM_WARNINGS) break;
    request.warnings.add(warning);
  }
}
