import type { Service } from '../model/generated/core-v1.ts';
import type { Logger } from '../observability/log.ts';
import { recoverServiceReservations } from '../registry/builtin/core/services/allocation/recover-reservations.ts';
import type { AllocationConflict } from '../registry/builtin/core/services/allocation/service-allocator.ts';
import { CorruptObjectError } from '../registry/corrupt-object.ts';
import type { Registry } from '../registry/registry.ts';
import { prefixEnd } from '../storage/storage.ts';

/**
 * Reserves the addresses and ports of the stored Services at start. For a corrupt Service it reserves those
 * that its bytes still contain; it logs the Service and keeps its key.
 */
export async function restoreServiceAllocations(
  registry: Registry,
  restore: (services: readonly Service[]) => Promise<readonly AllocationConflict[]>,
  logger: Logger,
): Promise<void> {
  const { stored } = registry.internal('', 'services');
  await stored.cache.waitFresh('latest');
  const services: Service[] = [];
  const start = stored.scope('');
  stored.cache.current().scan(start, prefixEnd(start), (record) => {
    try {
      services.push(stored.decode(record) as Service);
    } catch (error) {
      if (!(error instanceof CorruptObjectError)) throw error;
      const spec = recoverServiceReservations(record.value);
      services.push({ metadata: { name: record.key }, spec });
      logger.error('stored Service is corrupt; reserved only the addresses and ports found in its bytes', {
        key: record.key,
        addresses: spec.clusterIPs!.join(','),
        ports: spec.ports!.map(({ nodePort }) => nodePort).join(','),
        err: error.message,
      });
    }
    return undefined;
  });
  for (const { service, holder, value } of await restore(services))
    logger.warn('two Services have the same address or port', { service, holder, value });
}
