import type { Service, ServicePort } from '../../../../../model/generated/core-v1.ts';
import { type FieldError, invalid } from '../../../../../status/field-error.ts';
import { allocatesNodePorts, needsNodePorts, nodePortsOf } from '../service-rules.ts';
import type { NodePorts } from './node-ports.ts';
import type { AllocationTransaction } from './transaction.ts';

/**
 * Reserves the node ports asked for, gives one to each port without, and releases those no longer used.
 * Ports of one number and different protocols share a node port, as DNS does on 53.
 */
export async function allocateNodePorts(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
  old: Service | undefined,
): Promise<FieldError[]> {
  const held = new Set(old !== undefined && needsNodePorts(old) ? nodePortsOf(old) : []);
  const kept = new Set<number>();
  if (needsNodePorts(service)) {
    const problems = await assign(transaction, range, service, held, kept);
    if (problems.length > 0) return problems;
  }
  for (const port of held) {
    const place = kept.has(port) ? undefined : range.placeOf(port);
    if (place !== undefined) transaction.releaseOnCommit(place);
  }
  return [];
}

async function assign(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
  held: ReadonlySet<number>,
  kept: Set<number>,
): Promise<FieldError[]> {
  const ports = service.spec?.ports ?? [];
  for (const [index, { nodePort = 0 }] of ports.entries()) {
    if (nodePort === 0 || kept.has(nodePort)) continue;
    const problem = held.has(nodePort) ? undefined : await range.reserve(transaction, nodePort);
    if (problem !== undefined) return [invalid(`spec.ports[${index}].nodePort`, nodePort, problem)];
    kept.add(nodePort);
  }
  if (!allocatesNodePorts(service)) return [];
  const siblings = new Siblings(ports);
  for (const port of ports) {
    if (port.nodePort) continue;
    port.nodePort = siblings.sharedBy(port) ?? (await range.draw(transaction));
    siblings.took(port);
    kept.add(port.nodePort);
  }
  return [];
}

/**
 * Which node ports the ports of a service may share: those of the same port number, unless they are in use
 * for the protocol.
 */
class Siblings {
  readonly #byNumber = new Map<number | undefined, ServicePort[]>();
  readonly #inUse = new Map<string | undefined, Set<number>>();

  constructor(ports: readonly ServicePort[]) {
    for (const port of ports) {
      const same = this.#byNumber.get(port.port);
      if (same === undefined) this.#byNumber.set(port.port, [port]);
      else same.push(port);
      if (port.nodePort) this.took(port);
    }
  }

  /** The node port of the first port that this one can share it with. */
  sharedBy({ port, protocol }: ServicePort): number | undefined {
    const used = this.#inUse.get(protocol);
    return this.#byNumber.get(port)!.find(({ nodePort }) => nodePort && used?.has(nodePort) !== true)
      ?.nodePort;
  }

  /** Notes that a port has its node port. */
  took({ protocol, nodePort }: ServicePort): void {
    const used = this.#inUse.get(protocol);
    if (used === undefined) this.#inUse.set(protocol, new Set([nodePort!]));
    else used.add(nodePort!);
  }
}
