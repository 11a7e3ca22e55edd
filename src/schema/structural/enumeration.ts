import { notSupportedFormatted } from '../../status/field-error.ts';
import type { Check } from './checks.ts';
import { valueText } from './go-text.ts';
import { scalarIdentity } from './identities.ts';
import { equalJson, isContainer, jsonText } from './json.ts';
import { typeOf } from './types.ts';
import type { ValueSchema } from './value-schema.ts';

/** Compiles the check of an enumeration. Scalars are looked up; containers are compared with containers. */
export function compileEnumeration({ enum: values = [] }: ValueSchema): Check<unknown> | undefined {
  if (values.length === 0) return undefined;
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const others = new Set(
    values
      .filter((value) => typeof value !== 'string' && !isContainer(value))
      .map((value) => scalarIdentity(value)),
  );
  const containers = values.filter(isContainer);
  const integers = new Set(values.filter((value) => typeOf(value) === 'integer').map(Number));
  const supported = (): string[] => values.map((one) => (typeof one === 'string' ? one : jsonText(one)));
  return (value, run) => {
    if (
      typeof value === 'string' ? texts.has(value) : !isContainer(value) && others.has(scalarIdentity(value))
    )
      return;
    // The reference converts a value to the type of each listed one: a fraction to the integer below, and an
    // integer to the text of the code point.
    if (typeof value === 'number' && integers.has(Math.trunc(value))) return;
    if (texts.size > 0 && typeOf(value) === 'integer' && texts.has(codePointText(Number(value)))) return;
    if (isContainer(value)) {
      // A comparison ends at the first difference: it costs at most the size of the listed value.
      run.spend(containers.length);
      if (containers.some((one) => equalJson(one, value))) return;
    }
    run.fail((field) => notSupportedFormatted(field, valueText(value), supported()));
  };
}

const codePointText = (code: number): string =>
  code < 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
