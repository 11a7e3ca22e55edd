import type { Service } from '../../model/generated/core-v1.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { allocatesNodePorts, needsNodePorts, nodePortsOf } from '../builtin/core/service-rules.ts';
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
  for (const port of ports) {
    if (port.nodePort) continue;
    const sibling = ports.find(
      (other) => other.port === port.port && other.nodePort && !ports.some((one) => one.nodePort === other.nodePort && one.protocol === port.protocol),
    );
    port.nodePort = sibling?.nodePort ?? (await range.draw(transaction));
    kept.add(port.nodePort);
  }
  return [];
}
