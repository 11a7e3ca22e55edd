import type { BuiltinResource } from '../builtin-resource.ts';
import { endpointSlices } from './endpoint-slice.ts';

export const discoveryResources: readonly BuiltinResource[] = [endpointSlices];
