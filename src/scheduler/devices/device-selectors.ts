import {
  CompileError,
  compile,
  DEVICE_SELECTOR,
  declarationsOf,
  EntriesMap,
  MapValue,
  type Program,
  ProgramError,
  plan,
  type Value,
} from '../../cel/index.ts';
import { QuantityValue } from '../../cel/libraries/quantity.ts';
import { BoundedMap } from '../../collections/bounded-map.ts';
import type { Device, DeviceAttribute } from '../../model/generated/resource-v1beta1.ts';
import { parseQuantity } from '../../model/quantity.ts';
import { deviceContent } from '../../reconcile/devices.ts';
import { SelectorError } from './device-view.ts';

/** Cost of one evaluation. */
const COST_LIMIT = 1_000_000;
/** Expressions that stay compiled. */
const MOST_EXPRESSIONS = 128;

interface Selector {
  /** What a device is known to be for the expression; ends with the device. */
  readonly known: WeakMap<Device, boolean>;
  readonly program: Program | string;
}

/** Evaluates the selectors of device classes and claims. A device is evaluated once by each. */
export class DeviceSelectors {
  readonly #selectors = new BoundedMap<string, Selector>(MOST_EXPRESSIONS);

  /** @throws SelectorError */
  selects(expression: string, driver: string, device: Device): boolean {
    const { known, program } = this.#selector(expression);
    if (typeof program === 'string') throw new SelectorError(`CEL compile error: ${program}`);
    let selects = known.get(device);
    if (selects === undefined) {
      selects = evaluate(program, driver, device);
      known.set(device, selects);
    }
    return selects;
  }

  #selector(expression: string): Selector {
    let selector = this.#selectors.get(expression);
    if (selector === undefined) {
      selector = { known: new WeakMap(), program: compileSelector(expression) };
      this.#selectors.set(expression, selector);
    }
    return selector;
  }
}

function compileSelector(expression: string): Program | string {
  try {
    return plan(compile(expression, declarationsOf('stored', DEVICE_SELECTOR)));
  } catch (error) {
    if (error instanceof CompileError) return `compilation failed: ${error.message}`;
    if (error instanceof ProgramError) return `program instantiation failed: ${error.message}`;
    throw error;
  }
}

function evaluate(program: Program, driver: string, stored: Device): boolean {
  const { attributes = {}, capacity = {} } = deviceContent(stored);
  const device = mapOf([
    ['driver', driver],
    ['attributes', new Domains(driver, Object.entries(attributes), attributeValue)],
    [
      'capacity',
      new Domains(
        driver,
        Object.entries(capacity),
        ({ value = '0' }) => new QuantityValue(parseQuantity(value)),
      ),
    ],
  ]);
  const result = program.evaluate(new Map([['device', device]]), { limit: COST_LIMIT });
  if (result.kind === 'value' && typeof result.value === 'boolean') return result.value;
  const problem = result.kind === 'error' ? result.error.message : 'the result is not a bool';
  throw new SelectorError(`CEL runtime error: ${problem}`);
}

const mapOf = (entries: Iterable<readonly [string, Value]>): EntriesMap => EntriesMap.of(entries)!;

/** Versions count as text: the functions for them are not there. */
const attributeValue = ({ int, bool, string, version }: DeviceAttribute): Value =>
  int !== undefined ? Number(int) : (bool ?? string ?? version ?? '');

const EMPTY = mapOf([]);

/** Attributes or capacities by domain and name. An unknown domain is empty. */
class Domains extends MapValue {
  readonly #domains = new Map<string, EntriesMap>();

  constructor(
    driver: string,
    entries: readonly (readonly [name: string, content: unknown])[],
    toValue: (content: never) => Value,
  ) {
    super();
    const grouped = new Map<string, [string, Value][]>();
    for (const [name, content] of entries) {
      const slash = name.indexOf('/');
      const domain = slash < 0 ? driver : name.slice(0, slash);
      const inDomain = grouped.get(domain) ?? [];
      inDomain.push([name.slice(slash + 1), toValue(content as never)]);
      grouped.set(domain, inDomain);
    }
    for (const [domain, values] of grouped) this.#domains.set(domain, mapOf(values));
  }

  get size(): number {
    return this.#domains.size;
  }

  find(key: Value): Value {
    return (typeof key === 'string' ? this.#domains.get(key) : undefined) ?? EMPTY;
  }

  keys(): readonly Value[] {
    return [...this.#domains.keys()];
  }
}
