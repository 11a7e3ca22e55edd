import type { Field, MessageType } from '../../schema/message.ts';
import type { Descriptions } from '../schemas.ts';
import core from './core.ts';
import groups from './groups.ts';
import meta from './meta.ts';
import pods from './pods.ts';
import workloads from './workloads.ts';

/** Descriptions of members that have the same meaning in all kinds. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['metadata', 'Name, labels, annotations and what the system knows of the object.'],
  ['spec', 'What is wanted.'],
  ['status', 'What was last observed. Written by the system.'],
  ['conditions', 'Aspects of the state, each true, false or unknown, with a reason.'],
  ['observedGeneration', 'Generation of the object that the status is about.'],
  ['lastTransitionTime', 'When the condition last changed from one status to another.'],
  ['lastUpdateTime', 'When the condition was last looked at.'],
  ['reason', 'One word in CamelCase for why it is so.'],
  ['message', 'Explanation for people.'],
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
    return kind.endsWith('List') ? `A list of ${kind.slice(0, -4)} objects.` : undefined;
  },
  ofField({ name, shortName, kind }: MessageType, field: Field): string | undefined {
    parsed ??= parse([meta, core, pods, workloads, groups]);
    const own = parsed.get(`${name} ${field.name}`) ?? parsed.get(`${shortName} ${field.name}`);
    if (own !== undefined) return own;
    if (kind?.endsWith('List') === true && field.name === 'items') return 'The objects.';
    return COMMON.get(field.name);
  },
};
