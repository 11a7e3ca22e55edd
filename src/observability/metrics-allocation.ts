import type { MetricsRegistry } from './metrics.ts';

const ADDRESSES = 'kube_apiserver_clusterip_allocator_';
const FAILURES = 'repair_reconcile_errors_total';
const PORTS = 'kube_apiserver_nodeport_allocator_';

/** Metrics of the addresses and node ports of Services; labels are in the order in which callers pass values. */
export function allocationMetrics(registry: MetricsRegistry) {
  return {
    allocatedAddresses: registry.gauge({
      name: `${ADDRESSES}allocated_ips`,
      help: 'Gauge measuring the number of allocated IPs for Services',
      labels: ['cidr'],
    }),
    availableAddresses: registry.gauge({
      name: `${ADDRESSES}available_ips`,
      help: 'Gauge measuring the number of available IPs for Services',
      labels: ['cidr'],
    }),
    addressAllocations: registry.counter({
      name: `${ADDRESSES}allocation_total`,
      help: 'Number of Cluster IPs allocations',
      labels: ['cidr', 'scope'],
    }),
    addressErrors: registry.counter({
      name: `${ADDRESSES}allocation_errors_total`,
      help: 'Number of errors trying to allocate Cluster IPs',
      labels: ['cidr', 'scope'],
    }),
    addressRepairErrors: registry.counter({
      name: `apiserver_clusterip_${FAILURES}`,
      help: 'Number of reconciliation failures on the clusterip repair reconcile loop',
    }),
    portRepairErrors: registry.counter({
      name: `apiserver_nodeport_${FAILURES}`,
      help: 'Number of reconciliation failures on the nodeport repair reconcile loop',
    }),
    allocatedPorts: registry.gauge({
      name: `${PORTS}allocated_ports`,
      help: 'Gauge measuring the number of allocated NodePorts for Services',
    }),
    availablePorts: registry.gauge({
      name: `${PORTS}available_ports`,
      help: 'Gauge measuring the number of available NodePorts for Services',
    }),
    portAllocations: registry.counter({
      name: `${PORTS}allocation_total`,
      help: 'Number of NodePort allocations',
      labels: ['scope'],
    }),
    portErrors: registry.counter({
      name: `${PORTS}allocation_errors_total`,
      help: 'Number of errors trying to allocate NodePort',
      labels: ['scope'],
    }),
  };
}
