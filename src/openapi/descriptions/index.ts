import type { Field, MessageType } from '../../schema/message.ts';
import type { Descriptions } from '../schemas.ts';
import { META } from './meta.ts';
import { POD_TEMPLATES } from './pods.ts';

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
 * Texts of types (`Lease`) and fields (`Lease.spec`). A type has its own name, or `family.Type` where several
 * families use the name.
 */
export type DescriptionTexts = Readonly<Record<string, string>>;

/** Creates the descriptions of kinds and fields: those of the given kinds, and those that kinds share. */
export function createDescriptions(kinds: Iterable<DescriptionTexts>): Descriptions {
  const texts = new Map([META, POD_TEMPLATES, ...kinds].flatMap((one) => Object.entries(one)));
  return {
    ofType({ name, shortName, kind }: MessageType): string | undefined {
      const own = texts.get(name) ?? texts.get(shortName);
      if (own !== undefined || kind === undefined) return own;
      return kind.endsWith('List') ? `List of ${kind.slice(0, -4)} objects.` : undefined;
    },
    ofField({ name, shortName, kind }: MessageType, field: Field): string | undefined {
      const own = texts.get(`${name}.${field.name}`) ?? texts.get(`${shortName}.${field.name}`);
      if (own !== undefined) return own;
      if (kind?.endsWith('List') === true && field.name === 'items') return 'Objects of the list.';
      return COMMON.get(field.name);
    },
  };
}
