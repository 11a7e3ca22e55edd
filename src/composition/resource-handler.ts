import type { RequestContext } from '../request/context.ts';
import type { ResourceRow } from '../resources/resource-set.ts';

/** Handles the requests of a resource or subresource that verbs do not. */
export type ResourceHandler = (context: RequestContext, row: ResourceRow) => Promise<void>;
