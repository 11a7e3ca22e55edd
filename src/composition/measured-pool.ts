import type { NumberPool, PoolRepair } from '../allocation/number-pool.ts';
import type { PoolOptions } from '../allocation/service-allocator.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { MaybePromise } from '../storage/storage.ts';

/** The pool of node ports; the others have addresses. */
const NODE_PORTS = 'servicenodeports';

/** Measures a pool of addresses or node ports: what it allocates on request, and what by its own choice. */
export function measurePool(
  pool: NumberPool,
  { name, range }: PoolOptions,
  metrics: ServerMetrics,
): NumberPool {
  const isPorts = name === NODE_PORTS;
  const [allocated, available] = isPorts
    ? [metrics.allocatedPorts, metrics.availablePorts]
    : [metrics.allocatedAddresses, metrics.availableAddresses];
  const labels = isPorts ? [] : [range];
  const update = () => {
    allocated.with(...labels).set(pool.allocated);
    available.with(...labels).set(pool.size - pool.allocated);
  };
  allocated.beforeRead(name, update);
  available.beforeRead(name, update);
  const count = <Result>(scope: 'static' | 'dynamic', result: MaybePromise<Result>) => {
    const family = (isFree: boolean) =>
      isPorts
        ? (isFree ? metrics.portAllocations : metrics.portErrors).with(scope)
        : (isFree ? metrics.addressAllocations : metrics.addressErrors).with(range, scope);
    const done = (value: Result): Result => {
      family(value !== false && value !== undefined).add();
      return value;
    };
    if (!(result instanceof Promise)) return done(result);
    return result.then(done, (error: unknown) => {
      family(false).add();
      throw error;
    });
  };
  return new MeasuredPool(
    pool,
    (offset) => count('static', pool.reserve(offset)),
    () => count('dynamic', pool.allocateNext()),
  );
}

class MeasuredPool implements NumberPool {
  readonly size: number;
  readonly reserve: NumberPool['reserve'];
  readonly allocateNext: NumberPool['allocateNext'];
  readonly #pool: NumberPool;

  constructor(pool: NumberPool, reserve: NumberPool['reserve'], allocateNext: NumberPool['allocateNext']) {
    this.size = pool.size;
    this.reserve = reserve;
    this.allocateNext = allocateNext;
    this.#pool = pool;
  }

  get allocated(): number {
    return this.#pool.allocated;
  }

  has(offset: number): ReturnType<NumberPool['has']> {
    return this.#pool.has(offset);
  }

  release(offset: number): ReturnType<NumberPool['release']> {
    return this.#pool.release(offset);
  }

  startRepair(): MaybePromise<PoolRepair> {
    return this.#pool.startRepair();
  }
}
