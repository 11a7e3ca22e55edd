import { apiVersionOf } from '../model/object.ts';
import type { AdmissionRequest, VersionedObject } from '../request/admission.ts';
import type { MaybePromise } from '../steps/steps.ts';

/** What the second round of webhooks or policies for a request needs to know of the first one. */
export class Reinvocations {
  /** The object after the last of them in the first round; undefined if no second round needs it. */
  output: string | undefined;
  /** Those with reinvocationPolicy IfNeeded that ran since another one last changed the object. */
  readonly #ran = new Set<string>();
  readonly #required = new Set<string>();

  /** Whether one of them waits for a change of the object. */
  get areWaiting(): boolean {
    return this.#ran.size > 0;
  }

  /** Records that one with reinvocationPolicy IfNeeded ran. */
  ran(key: string): void {
    this.#ran.add(key);
  }

  /** Requires those that ran so far to run again; those that run later see the change anyway. */
  require(): void {
    for (const key of this.#ran) this.#required.add(key);
    this.#ran.clear();
  }

  isRequired(key: string): boolean {
    return this.#required.has(key);
  }
}

/** Returns a function that finds the reinvocations of a request, which are the same in both rounds. */
export function reinvocationsByRequest(): (request: AdmissionRequest) => Reinvocations {
  const known = new WeakMap<AdmissionRequest, Reinvocations>();
  return (request) => {
    let found = known.get(request);
    if (found === undefined) {
      found = new Reinvocations();
      known.set(request, found);
    }
    return found;
  };
}

/** The present object of a request as text; undefined without an object. */
export function objectText(request: AdmissionRequest): MaybePromise<string | undefined> {
  const { group, version } = request.kind;
  const versions = request.inVersion(apiVersionOf(group, version));
  return versions instanceof Promise
    ? versions.then(({ object }) => textOf(object))
    : textOf(versions.object);
}

function textOf(object: VersionedObject | undefined): MaybePromise<string | undefined> {
  const encoding = object?.encode?.();
  return encoding === undefined ? object?.json() : encoding.then(() => object!.json());
}
