import { AddressTargets } from '../../outbound/address-targets.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { serviceServerName } from '../../outbound/service-resolver.ts';
import {
  type BackendService,
  isAvailable,
  type RegisteredVersion,
  serverVerification,
} from './api-service.ts';
import type { FrontProxy } from './front-proxy.ts';

/** A group version that an extension server serves. */
export interface Route {
  readonly registered: RegisteredVersion;
  readonly service: BackendService;
  readonly available: boolean;
  readonly backends: AddressTargets;
}

/**
 * The group versions of extension servers, built from the changes of APIServices: requests look them up without
 * reading an object. Connections are kept while only conditions and priorities change.
 */
export class RoutingTable {
  readonly #client: OutboundClient;
  readonly #frontProxy: FrontProxy;
  readonly #routes = new Map<string, Route>();
  /** Increases with every change. */
  generation = 0;

  constructor(client: OutboundClient, frontProxy: FrontProxy) {
    this.#client = client;
    this.#frontProxy = frontProxy;
  }

  /** The route of a group version; undefined if this server serves it or nobody does. */
  find(group: string, version: string): Route | undefined {
    return this.#routes.size === 0 ? undefined : this.#routes.get(`${version}.${group}`);
  }

  /** All routes by the names of their APIServices. */
  get routes(): ReadonlyMap<string, Route> {
    return this.#routes;
  }

  /** Applies the change of an APIService; undefined when it has been removed. */
  set(name: string, registered: RegisteredVersion | undefined): void {
    const known = this.#routes.get(name);
    if (known === undefined && registered?.service === undefined) return;
    this.generation += 1;
    if (registered?.service === undefined) {
      known!.backends.retire();
      this.#routes.delete(name);
      return;
    }
    const keeps = known !== undefined && sameServer(known.registered, registered);
    if (known !== undefined && !keeps) known.backends.retire();
    this.#routes.set(name, {
      registered,
      service: registered.service,
      available: isAvailable(registered),
      backends: keeps ? known.backends : this.#connect(registered, registered.service),
    });
  }

  #connect(registered: RegisteredVersion, { namespace, name }: BackendService): AddressTargets {
    return new AddressTargets(this.#client, {
      serverName: serviceServerName(namespace, name),
      ...serverVerification(registered),
      ...this.#frontProxy.clientCertificate(),
    });
  }
}

/** Whether requests go to the same server with the same verification of its certificate. */
function sameServer(left: RegisteredVersion, right: RegisteredVersion): boolean {
  return (
    left.service?.namespace === right.service?.namespace &&
    left.service?.name === right.service?.name &&
    left.service?.port === right.service?.port &&
    left.caBundle === right.caBundle &&
    left.insecureSkipTLSVerify === right.insecureSkipTLSVerify
  );
}
