import { allocatesNodePorts, needsNodePorts, nodePortsOf } from '../kinds/core/services/service-rules.ts';
import type { Service, ServicePort } from '../model/generated/core-v1.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import type { NodePorts } from './node-ports.ts';
import type { AllocationTransaction } from './transaction.ts';

/**
 * Reserves the requested node ports, allocates one for each port without, and releases unused ones on commit.
 */
export async function allocateNodePorts(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
  old: Service | undefined,
): Promise<FieldError[]> {
  const oldPorts = new Set(old !== undefined && needsNodePorts(old) ? nodePortsOf(old) : []);
  if (needsNodePorts(service)) {
    const problems =
      old === undefined
        ? await assignNewPorts(transaction, range, service)
        : await assignChangedPorts(transaction, range, service, oldPorts);
    if (problems.length > 0) return problems;
  }
  const assigned = new Set(needsNodePorts(service) ? nodePortsOf(service) : []);
  for (const port of oldPorts) {
    const entry = assigned.has(port) ? undefined : range.entryOf(port);
    if (entry !== undefined) transaction.releaseOnCommit(entry);
  }
  return [];
}

const refused = (index: number, nodePort: number, problem: string): FieldError[] => [
  invalid(`spec.ports[${index}].nodePort`, nodePort, problem),
];

/** New ports with one number, which have different protocols, share a node port, e.g. DNS on 53. */
async function assignNewPorts(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
): Promise<FieldError[]> {
  const ports = service.spec?.ports ?? [];
  const requested = firstRequests(ports);
  const shared = new Map<number | undefined, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !allocatesNodePorts(service)) continue;
    const known = shared.get(port.port);
    const wanted = known === undefined ? requested.get(port.port) : port.nodePort || known;
    if (wanted !== undefined && wanted !== known) {
      const problem = await range.reserve(transaction, wanted);
      if (problem !== undefined) return refused(index, wanted, problem);
    }
    port.nodePort = wanted ?? (await range.allocateNext(transaction));
    if (known === undefined) shared.set(port.port, port.nodePort);
  }
  return [];
}

/** The first requested node port of each port number. */
function firstRequests(ports: readonly ServicePort[]): Map<number | undefined, number> {
  const requested = new Map<number | undefined, number>();
  for (const { port, nodePort } of ports) if (nodePort && !requested.has(port)) requested.set(port, nodePort);
  return requested;
}

async function assignChangedPorts(
  transaction: AllocationTransaction,
  range: NodePorts,
  service: Service,
  oldPorts: ReadonlySet<number>,
): Promise<FieldError[]> {
  const reserved = new Set(oldPorts);
  for (const [index, port] of (service.spec?.ports ?? []).entries()) {
    const { nodePort } = port;
    if (!nodePort) {
      if (allocatesNodePorts(service)) port.nodePort = await range.allocateNext(transaction);
    } else if (!reserved.has(nodePort)) {
      const problem = await range.reserve(transaction, nodePort);
      if (problem !== undefined) return refused(index, nodePort, problem);
      reserved.add(nodePort);
    }
  }
  return [];
}
