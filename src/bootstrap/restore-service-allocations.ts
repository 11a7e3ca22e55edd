import type { Service } from '../model/generated/core-v1.ts';
import type { Logger } from '../observability/log.ts';
import { recoverServiceReservations } from '../registry/builtin/core/services/allocation/recover-reservations.ts';
import type { AllocationConflict } from '../registry/builtin/core/services/allocation/service-allocator.ts';
import { CorruptObjectError } from '../registry/corrupt-object.ts';
import type { Registry } from '../registry/registry.ts';
import { prefixEnd } from '../storage/storage.ts';

/**
 * Records at start which addresses and ports the stored Services hold, so that nobody else gets them. Of a
 * damaged one that is what can be found in its bytes; it is named in the log, and its key stays.
 */
export async function restoreServiceAllocations(
  registry: Registry,
  restore: (services: readonly Service[]) => Promise<readonly AllocationConflict[]>,
  logger: Logger,
): Promise<void> {
  const { stored } = registry.internal('', 'services');
  const services: Service[] = [];
  const start = stored.scope('');
  stored.cache.current().scan(start, prefixEnd(start), (record) => {
    try {
      services.push(stored.decode(record) as Service);
    } catch (error) {
      if (!(error instanceof CorruptObjectError)) throw error;
      const spec = recoverServiceReservations(record.value);
      services.push({ metadata: { name: record.key }, spec });
      logger.error(
        'a stored Service is damaged: of its addresses and ports only those that its bytes still show are kept from others',
        {
          key: record.key,
          addresses: spec.clusterIPs!.join(','),
          ports: spec.ports!.map(({ nodePort }) => nodePort).join(','),
          err: error.message,
        },
      );
    }
    return undefined;
  });
  for (const { service, holder, value } of await restore(services))
    logger.warn('two Services hold one address or port', { service, holder, value });
}
