import { readFileSync } from 'node:fs';
import { parseYaml } from '../../codec/yaml.ts';
import { ConfigurationError, withFile } from '../../errors/configuration-error.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { decodedFrom } from '../decoded-from.ts';

/**
 * The objects in a file of YAML or JSON documents; lists are replaced by their items.
 * @throws ConfigurationError, DecodeError
 */
export function objectsIn(file: string): KubernetesObject[] {
  const text = withFile('open', file, () => readFileSync(file, 'utf8'));
  return documentsOf(text).flatMap((document) => {
    const { value } = decodedFrom(file, () => parseYaml(Buffer.from(document)));
    if (value === undefined || value === null) return [];
    if (typeof value !== 'object' || Array.isArray(value) || !('kind' in value))
      throw new ConfigurationError(`${file} has a document without kind`);
    const object = value as KubernetesObject & { readonly items?: unknown };
    return object.kind!.endsWith('List') && Array.isArray(object.items)
      ? (object.items as KubernetesObject[])
      : [object];
  });
}

/** The documents of a text, which lines of three dashes separate. */
function documentsOf(text: string): string[] {
  const documents: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trimEnd() === '---') documents.push([]);
    else documents.at(-1)!.push(line);
  }
  return documents.map((lines) => lines.join('\n')).filter((document) => document.trim() !== '');
}
