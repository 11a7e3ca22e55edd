import type { Device, DeviceAttribute } from '../../model/generated/resource-v1beta1.ts';
import { deviceContent, type RequestAlternative } from '../../reconcile/devices.ts';

/** All devices of some requests must have the same value of an attribute. */
export class MatchAttribute {
  readonly #attribute: string;
  /** Empty for all requests of the claim. */
  readonly #requests: ReadonlySet<string>;
  /** The values of the devices that were added. */
  readonly #values: string[] = [];

  constructor(attribute: string, requests: readonly string[]) {
    this.#attribute = attribute;
    this.#requests = new Set(requests);
  }

  /** Adds a device, unless that would violate the constraint. @returns whether it was added */
  add(request: RequestAlternative, driver: string, device: Device): boolean {
    if (!this.#isAbout(request)) return true;
    const value = comparableValue(lookUp(device, driver, this.#attribute));
    if (value === undefined || (this.#values.length > 0 && this.#values[0] !== value)) return false;
    this.#values.push(value);
    return true;
  }

  /** Takes back the last device that was added. */
  remove(request: RequestAlternative): void {
    if (this.#isAbout(request)) this.#values.pop();
  }

  #isAbout({ name, parent }: RequestAlternative): boolean {
    return this.#requests.size === 0 || this.#requests.has(parent) || this.#requests.has(name);
  }
}

/** An attribute by its full name; those of the driver's own domain are stored without it. */
function lookUp(device: Device, driver: string, name: string): DeviceAttribute | undefined {
  const { attributes = {} } = deviceContent(device);
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const slash = name.indexOf('/');
  const local = name.slice(slash + 1);
  if (slash < 0 || name.slice(0, slash) !== driver || !Object.hasOwn(attributes, local)) return undefined;
  return attributes[local];
}

/** Values of different types are different. */
function comparableValue(attribute: DeviceAttribute | undefined): string | undefined {
  for (const type of ['string', 'int', 'bool', 'version'] as const)
    if (attribute?.[type] !== undefined) return `${type} ${attribute[type]}`;
  return undefined;
}
