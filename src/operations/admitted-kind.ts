import { copyContainers } from '../codec/copy.ts';
import {
  apiVersionOf,
  type GroupVersionKind,
  type KubernetesObject,
  type ManagedFieldsEntry,
} from '../model/object.ts';
import type { ObjectSchema } from '../resources/object-schema.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { MaybePromise } from '../steps/steps.ts';

/** The kind that admission sees, in all its versions. */
export interface AdmittedKind {
  /** In the version of the request. */
  readonly kind: GroupVersionKind;
  /** The schema of a version; undefined for a version that the kind does not have. */
  schemaIn(apiVersion: string): ObjectSchema | undefined;
  /** Converts an object of the working version; the result may share parts with it. */
  toVersion(object: KubernetesObject, apiVersion: string): MaybePromise<KubernetesObject>;
  /** Applies the defaults of a version and converts to the working version; may change its argument. */
  fromVersion(object: KubernetesObject, apiVersion: string): MaybePromise<KubernetesObject>;
}

/** Another form of an object, which admission sees instead of the stored one. */
export interface AdmittedForm {
  readonly kind: AdmittedKind;
  /** PUT: the form as the client sent it, which mutating admission sees. */
  sent?(): KubernetesObject;
  /** Returns the form of an object. */
  of(object: KubernetesObject): KubernetesObject;
  /** The owners of the fields of both forms, once those of the object are recorded; mutating admission sees them. */
  readonly owners: FormOwners;
  /** Returns the object with what admission changed in its form. */
  merge(object: KubernetesObject, form: KubernetesObject): KubernetesObject;
}

export interface FormOwners {
  readonly before?: ManagedFieldsEntry[] | undefined;
  readonly after?: ManagedFieldsEntry[] | undefined;
}

/** The kind of a stored resource. */
export function kindOfResource(resource: ServedResource): AdmittedKind {
  const { conversion, kind, row, apiVersion: served } = resource;
  const working = conversion.worksInServedVersion ? served : row.storage!.apiVersion;
  return {
    kind,
    schemaIn: (apiVersion) => (apiVersion === served ? resource.schema : conversion.schemaIn(apiVersion)),
    toVersion(object, apiVersion) {
      if (apiVersion === working) return object;
      if (apiVersion === served) return conversion.toServed(copyContainers(object));
      return conversion.convert(object, working, apiVersion);
    },
    fromVersion(object, apiVersion) {
      if (apiVersion === served) return resource.toWorking(object, { keepsNulls: true });
      conversion.setDefaultsIn(apiVersion, object);
      const converted = conversion.convert(object, apiVersion, served);
      return converted instanceof Promise
        ? converted.then((done) => resource.toWorking(done))
        : resource.toWorking(converted);
    },
  };
}

/** A kind with a single version, such as a Scale, a Binding or the options of a connection. */
export function singleKind(kind: GroupVersionKind, schema: ObjectSchema): AdmittedKind {
  const own = apiVersionOf(kind.group, kind.version);
  return {
    kind,
    schemaIn: (apiVersion) => (apiVersion === own ? schema : undefined),
    toVersion: (object) => object,
    fromVersion: (object) => object,
  };
}
