import { type KubernetesObject, memberAt } from '../model/object.ts';

/** Reads the value of a selectable field; that of an absent one is the empty string. */
export interface FieldReader {
  (object: KubernetesObject): string;
  /** The value is the text at this path, so that it can be read from stored bytes without decoding the object. */
  readonly path?: readonly string[];
}

/** A field whose value is the text at a path. @param path names of members */
export function textAt(...path: readonly string[]): FieldReader {
  const read = (object: KubernetesObject): string => {
    const value = memberAt(object, path);
    return typeof value === 'string' ? value : '';
  };
  return Object.assign(read, { path });
}
