import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import type { AwaitedResource } from '../reconcile/presence.ts';
import { ENDPOINTS, SERVICES } from '../reconcile/resources.ts';
import type { MirroringSettings } from './endpoint-slice-mirroring/settings.ts';
import type { EndpointSlicesSettings } from './endpoint-slices/settings.ts';
import type { EndpointsSettings } from './endpoints/settings.ts';

/** What the controllers of endpoints take besides their context. */
export interface ServiceControllerNeeds {
  readonly endpoints: EndpointsSettings;
  readonly endpointSlices: EndpointSlicesSettings;
  readonly mirroring: MirroringSettings;
}

/** The Service of the API server itself selects no Pods, and its Endpoints come with a slice. */
const besides = 'default/kubernetes';
const OTHER_SERVICES: AwaitedResource = { ...SERVICES, besides };
const OTHER_ENDPOINTS: AwaitedResource = { ...ENDPOINTS, besides };

/** The controllers of the endpoints of Services, in the order in which they start. */
export const SERVICE_CONTROLLERS = [
  {
    name: 'endpoints-controller',
    alias: 'endpoint',
    does: 'writes the addresses of the Pods that each Service selects to its Endpoints',
    account: 'endpoint-controller',
    wakesFor: [OTHER_SERVICES],
    async create(parts, { endpoints }) {
      const { endpointsController } = await import('./endpoints/controller.ts');
      return endpointsController(parts, endpoints);
    },
  },
  {
    name: 'endpointslice-controller',
    alias: 'endpointslice',
    does: 'writes the Pods that each Service selects to its EndpointSlices, with hints by zone',
    account: 'endpointslice-controller',
    wakesFor: [OTHER_SERVICES],
    async create(parts, { endpointSlices }) {
      const { endpointSlicesController } = await import('./endpoint-slices/controller.ts');
      return endpointSlicesController(parts, endpointSlices);
    },
  },
  {
    name: 'endpointslice-mirroring-controller',
    alias: 'endpointslicemirroring',
    does: 'writes the Endpoints of Services that select no Pods to EndpointSlices',
    account: 'endpointslicemirroring-controller',
    wakesFor: [OTHER_ENDPOINTS],
    async create(parts, { mirroring }) {
      const { endpointSliceMirroringController } = await import('./endpoint-slice-mirroring/controller.ts');
      return endpointSliceMirroringController(parts, mirroring);
    },
  },
] as const satisfies readonly ControllerDeclaration<ServiceControllerNeeds>[];
