import { recoverServiceReservations } from '../allocation/recover-reservations.ts';
import type { Service } from '../model/generated/core-v1.ts';
import type { Logger } from '../observability/log.ts';
import { CorruptObjectError } from '../resources/corrupt-object.ts';
import type { Resources } from '../resources/resources.ts';
import { prefixEnd } from '../storage/storage.ts';

/**
 * Lists the stored Services as they are now. A corrupt Service has no uid, and the addresses and ports that
 * its bytes still contain: they stay reserved. It is logged, and its key is kept.
 */
export async function storedServices(resources: Resources, logger: Logger): Promise<Service[]> {
  const { stored } = resources.internal('', 'services');
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
  return services;
}
