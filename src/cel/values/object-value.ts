import { MapValue } from './map.ts';
import type { Meter } from './meter.ts';
import type { Value } from './value.ts';

/** An object that an expression made (`Object.spec{replicas: 3}`), with the name of its type. */
export class ObjectValue extends MapValue {
  readonly typeName: string;
  readonly #fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.#fields = fields;
  }

  get size(): number {
    return this.#fields.size;
  }

  find(key: Value): Value | undefined {
    return typeof key === 'string' ? this.#fields.get(key) : undefined;
  }

  keys(): readonly string[] {
    return [...this.#fields.keys()];
  }

  override equals(other: MapValue, meter: Meter): boolean {
    return other instanceof ObjectValue && other.typeName === this.typeName && super.equals(other, meter);
  }
}
