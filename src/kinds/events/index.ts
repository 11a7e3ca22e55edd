import type { BuiltinResource } from '../builtin-resource.ts';
import { events } from './event.ts';

export const eventsResources: readonly BuiltinResource[] = [events];
