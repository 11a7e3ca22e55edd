import type { Service, ServicePort } from '../../../../../model/generated/core-v1.ts';
import { type FieldError, invalid } from '../../../../../status/field-error.ts';
import { allocatesNodePorts, needsNodePorts, nodePortsOf } from '../service-rules.ts';
import type { NodePorts } from './node-ports.ts';
import type { AllocationTransaction } from './transaction.ts';

/**
 * Reserves the requested node ports, allocates one for each port without, and releases unused ones on commit.
 * Ports with one number and different protocols share a node port, e.g. DNS on 53.
 */
export async function allocateNodePorts(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
  old: Service | undefined,
): Promise<FieldError[]> {
  const oldPorts = new Set(old !== undefined && needsNodePorts(old) ? nodePortsOf(old) : []);
  const assigned = new Set<number>();
  if (needsNodePorts(service)) {
    const problems = await assignNodePorts(transaction, range, service, oldPorts, assigned);
    if (problems.length > 0) return problems;
  }
  for (const port of oldPorts) {
    const entry = assigned.has(port) ? undefined : range.entryOf(port);
    if (entry !== undefined) transaction.releaseOnCommit(entry);
  }
  return [];
}

async function assignNodePorts(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
  oldPorts: ReadonlySet<number>,
  assigned: Set<number>,
): Promise<FieldError[]> {
  const ports = service.spec?.ports ?? [];
  for (const [index, { nodePort = 0 }] of ports.entries()) {
    if (nodePort === 0 || assigned.has(nodePort)) continue;
    const problem = oldPorts.has(nodePort) ? undefined : await range.reserve(transaction, nodePort);
    if (problem !== undefined) return [invalid(`spec.ports[${index}].nodePort`, nodePort, problem)];
    assigned.add(nodePort);
  }
  if (!allocatesNodePorts(service)) return [];
  const shared = new SharedNodePorts(ports);
  for (const port of ports) {
    if (port.nodePort) continue;
    port.nodePort = shared.findFor(port) ?? (await range.allocateNext(transaction));
    shared.record(port);
    assigned.add(port.nodePort);
  }
  return [];
}

/** Node ports that ports with the same number can share, as long as their protocols differ. */
class SharedNodePorts {
  readonly #byNumber = new Map<number | undefined, ServicePort[]>();
  readonly #inUse = new Map<string | undefined, Set<number>>();

  constructor(ports: readonly ServicePort[]) {
    for (const port of ports) {
      const same = this.#byNumber.get(port.port);
      if (same === undefined) this.#byNumber.set(port.port, [port]);
      else same.push(port);
      if (port.nodePort) this.record(port);
    }
  }

  /** Returns the node port of the first port that the given port can share. */
  findFor({ port, protocol }: ServicePort): number | undefined {
    const used = this.#inUse.get(protocol);
    return this.#byNumber.get(port)!.find(({ nodePort }) => nodePort && used?.has(nodePort) !== true)
      ?.nodePort;
  }

  /** Records the node port of a port. */
  record({ protocol, nodePort }: ServicePort): void {
    const used = this.#inUse.get(protocol);
    if (used === undefined) this.#inUse.set(protocol, new Set([nodePort!]));
    else used.add(nodePort!);
  }
}
