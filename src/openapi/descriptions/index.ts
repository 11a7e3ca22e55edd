import type { Field, MessageType } from '../../schema/message.ts';
import type { Descriptions } from '../schemas.ts';
import core from './core.ts';
import groups from './groups.ts';
import meta from './meta.ts';
import pods from './pods.ts';
import workloads from './workloads.ts';

/** Descriptions of members that have the same meaning in all kinds. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['metadata', 'Metadata of the object: name, labels, annotations.'],
  ['spec', 'Desired state of the object.'],
  ['status', 'Observed state of the object, written by the system.'],
  ['conditions', 'Conditions of the object.'],
  ['observedGeneration', 'Generation that the status is based on.'],
  ['lastTransitionTime', 'Time at which the condition last changed its status.'],
  ['lastUpdateTime', 'Time at which the condition was last updated.'],
  ['reason', 'Machine-readable reason in CamelCase.'],
  ['message', 'Human-readable message.'],
]);

/**
 * Descriptions are written like declarations: a line `Type: text` without indentation, followed by indented
 * lines `field: text`. A type has its own name, or `family.Type` where several families use the name.
 */
function parse(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let type = '';
  for (const line of texts.join('\n').split('\n')) {
    const [, indent, name, text] = /^( *)(\S+): (.+)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) continue;
    if (indent === '') type = name;
    found.set(indent === '' ? type : `${type} ${name}`, text);
  }
  return found;
}

let parsed: ReadonlyMap<string, string> | undefined;

/** The product's own descriptions of kinds and fields; parsed on first use. */
export const descriptions: Descriptions = {
  ofType({ name, shortName, kind }: MessageType): string | undefined {
    parsed ??= parse([meta, core, pods, workloads, groups]);
    const own = parsed.get(name) ?? parsed.get(shortName);
    if (own !== undefined || kind === undefined) return own;
    return kind.endsWith('List') ? `List of ${kind.slice(0, -4)} objects.` : undefined;
  },
  ofField({ name, shortName, kind }: MessageType, field: Field): string | undefined {
    parsed ??= parse([meta, core, pods, workloads, groups]);
    const own = parsed.get(`${name} ${field.name}`) ?? parsed.get(`${shortName} ${field.name}`);
    if (own !== undefined) return own;
    if (kind?.endsWith('List') === true && field.name === 'items') return 'Objects of the list.';
    return COMMON.get(field.name);
  },
};
