import type fc from 'fast-check';
import { toPlain } from '../../src/codec/typed.ts';
import { isJsonObject } from '../../src/model/json-object.ts';
import { getMember, setMember } from '../../src/model/object.ts';
import type { Members } from '../../src/patch/tree.ts';
import type { Field, MessageType } from '../../src/schema/message.ts';
import { arbitraryMessage } from './arbitrary-object.ts';

/**
 * Plain trees of a type as a client may apply them: items of keyed lists and sets are unique and have their
 * keys. No value is null or empty, since it would be owned but absent.
 */
export function plainObjects(type: MessageType, depth = 4): fc.Arbitrary<Members> {
  return arbitraryMessage(type, depth).map(
    (value) => (clean(type, toPlain(type, value)) as Members | undefined) ?? {},
  );
}

function clean(type: MessageType | undefined, value: unknown): unknown {
  if (value === null || value === '' || value === 0 || value === false) return undefined;
  if (type?.form === 'raw' && !isJsonObject(value)) return undefined;
  if (Array.isArray(value))
    return nonEmpty(value.map((item) => clean(undefined, item)).filter((item) => item !== undefined));
  if (!isJsonObject(value)) return value;
  const kept: Members = {};
  for (const key of Object.keys(value)) {
    const member = cleanMember(
      type?.form === 'object' ? type.byName.get(key) : undefined,
      getMember(value, key),
    );
    if (member !== undefined) setMember(kept, key, member);
  }
  return nonEmpty(kept);
}

function cleanMember(field: Field | undefined, value: unknown): unknown {
  const message = field?.type.message;
  if (field?.shape === 'map' && isJsonObject(value)) {
    const kept: Members = {};
    for (const key of Object.keys(value)) {
      const member = clean(message, value[key]);
      if (member !== undefined) setMember(kept, key, member);
    }
    return nonEmpty(kept);
  }
  if (field?.shape !== 'list' || !Array.isArray(value)) return clean(message, value);
  const items = value.map((item) => clean(message, item)).filter((item) => item !== undefined);
  const keys = new Set([
    ...(field.listMapKeys ?? []),
    ...(field.patchMergeKey === undefined ? [] : [field.patchMergeKey]),
  ]);
  const seen = new Set<string>();
  return nonEmpty(
    items.filter((item) => {
      if (keys.size > 0 && !(isJsonObject(item) && [...keys].every((key) => Object.hasOwn(item, key))))
        return false;
      // The keys of an item for apply and for a strategic patch may differ; both are unique here.
      const identities = [
        [...keys].map((key) => (item as Members)[key]),
        ...(field.patchMergeKey === undefined ? [] : [(item as Members)[field.patchMergeKey]]),
      ];
      const texts =
        keys.size === 0 ? [text(item)] : identities.map((identity, index) => `${index}${text(identity)}`);
      if (texts.some((one) => seen.has(one))) return false;
      for (const one of texts) seen.add(one);
      return true;
    }),
  );
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member));

function nonEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
