// Objects near the maximum size whose bytes are all in one field: for each field of each built-in kind that holds
// a text, a list or a map, made from the type model.
import { BASES } from './field-bases.mjs';
import { many } from './hostile.mjs';

/** The modules that {@link fieldsOf} needs, for importBundled. */
export const MODEL_MODULES = `
export { builtinResources } from './test/support/builtin-kinds.ts';
export { kindType } from './test/support/types.ts';
`;

const BYTES = 2_800_000;
/** List items, below the maximum of parts. */
const ITEMS = 90_000;

const filled = (unit) => unit.repeat(Math.floor(BYTES / (Buffer.byteLength(JSON.stringify(unit)) - 2)));
const address = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** Texts that the formats of the API accept for long, or refuse at their end. */
const UNITS = {
  letters: 'a',
  capitals: 'A',
  digits: '1',
  spaces: ' ',
  quotes: '"',
  controls: '\u0001',
  letterlike: 'é',
  lines: 'a\n',
  labels: 'a.',
  hyphens: 'a-',
  segments: 'a/',
  items: 'a,',
  pairs: 'a=b,',
  'colon pairs': 'a:b,',
  numbers: '1,',
  'address parts': '1.',
  groups: '1:',
  escapes: '%41',
  parentheses: '(',
  brackets: '[',
  braces: '{',
  variables: '$(A)',
  sums: '1+',
  hours: '1h',
  fields: '{.a}',
};
export const TEXTS = {
  ...Object.fromEntries(Object.entries(UNITS).map(([name, unit]) => [name, () => filled(unit)])),
  schedule: () => `@every ${filled('1h')}`,
  'CEL text': () => `'${filled('a')}' == ''`,
  address: () => `https://${filled('a.')}com/${filled('a')}`.slice(0, BYTES),
  path: () => `/${filled('a/')}`,
  certificate: () => `-----BEGIN CERTIFICATE-----\n${filled('QUFB\n')}-----END CERTIFICATE-----\n`,
  JSON: () => `{"auths":{${many(90_000, (index) => `"${address(index)}":{}`)}}}`,
};

/** Texts of list items. */
export const ITEM_TEXTS = {
  equal: () => 'a',
  empty: () => '',
  names: (index) => `a${index}`,
  qualified: (index) => `a.example.com/a${index}`,
  capitals: (index) => `A_${index}`,
  paths: (index) => `/a/${index}`,
  addresses: address,
  ranges: (index) => `${address(index)}/32`,
  'IPv6 addresses': (index) => `fd00::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`,
};

const NUMBERS = { equal: () => 1, different: (index) => index + 1, negative: (index) => -index };
const QUANTITIES = {
  ones: () => '1',
  long: (index) => `${index}${'1'.repeat(20)}`,
};

const SCALAR_FORMS = new Set(['time', 'microTime', 'duration', 'groupVersion']);
const isText = ({ scalar, message }) =>
  scalar === 'string' || scalar === 'bytes' || SCALAR_FORMS.has(message?.form);
const isNumber = ({ scalar }) => scalar?.startsWith('int') || scalar === 'double';

/** Values of a type with their name, of which a large object has many. */
function itemsOf(type) {
  const { scalar, message } = type;
  if (isText(type)) return Object.entries(ITEM_TEXTS);
  if (isNumber(type)) return Object.entries(NUMBERS);
  if (scalar === 'boolean') return [['true', () => true]];
  if (message.form === 'quantity') return Object.entries(QUANTITIES);
  if (message.form === 'intOrString') return Object.entries({ ...NUMBERS, ...ITEM_TEXTS });
  if (message.form === 'array') return [['arrays', () => ['a']]];
  if (message.form === 'any' || message.form === 'raw') return [['objects', () => ({ a: 'b' })]];
  return [['empty objects', () => ({})], ...membersOf(message)];
}

/** Objects of a message that each have one member. */
function membersOf(message) {
  const found = [];
  for (const field of message.jsonFields) {
    if (field.shape !== 'single') continue;
    const { type } = field;
    const values = type.message?.form === 'object' ? [['empty', () => ({})]] : itemsOf(type);
    for (const [name, make] of values)
      found.push([`${field.name} ${name}`, (index) => ({ [field.name]: make(index) })]);
  }
  return found;
}

/** JSON of a list with as many items as the maximum of parts and bytes allows. */
function listOf(make) {
  const perItem = JSON.stringify([make(0)]).match(/[,:]/g)?.length ?? 0;
  const count = Math.floor(ITEMS / (perItem + 1));
  return many(count, make);
}

const mapOf = (keyOf, make) => {
  const list = listOf((index) => ({ [keyOf(index)]: make(index) }));
  return Object.assign({}, ...list);
};

/** The values of one field with their names: `[name, () => value]`. */
function* valuesOf(field) {
  const { shape, type } = field;
  const form = type.message?.form;
  if (shape === 'single' && form === 'array') {
    for (const [name, make] of itemsOf(type.message.items)) yield [`list of ${name}`, () => listOf(make)];
    return;
  }
  if (shape === 'list') {
    for (const [name, make] of itemsOf(type)) yield [`list of ${name}`, () => listOf(make)];
    if (isText(type)) yield ['one item', () => [TEXTS.letters()]];
    return;
  }
  if (shape === 'map') {
    const [[name, make]] = itemsOf(type);
    for (const [key, keyOf] of Object.entries(ITEM_TEXTS))
      if (key !== 'equal' && key !== 'empty') yield [`map of ${key} to ${name}`, () => mapOf(keyOf, make)];
    for (const [name, make] of itemsOf(type))
      yield [`map of names to ${name}`, () => mapOf(ITEM_TEXTS.names, make)];
    for (const text of ['letters', 'segments', 'quotes'])
      yield [`key of ${text}`, () => ({ [TEXTS[text]()]: make(0) })];
    if (isText(type)) yield ['one value', () => ({ a: TEXTS.letters() })];
    return;
  }
  if (isText(type) || form === 'intOrString' || form === 'quantity')
    for (const [name, make] of Object.entries(TEXTS)) yield [name, make];
  if (form === 'any' || form === 'raw') {
    yield ['list', () => ({ a: listOf(ITEM_TEXTS.names) })];
    yield ['map', () => mapOf(ITEM_TEXTS.names, () => 'v')];
    yield ['text', () => ({ a: TEXTS.letters() })];
  }
}

/** Forms of messages that have members of their own. */
const hasMembers = ({ message }) => message?.form === 'object' || message?.form.startsWith('schemaOr');

/**
 * Visits the fields of a message and below. A field of a message is visited once in all: `seen` has those that
 * were. A message that contains itself is not entered again.
 */
function* visit(message, path, seen, outer) {
  if (outer.includes(message)) return;
  for (const field of message.jsonFields) {
    const place = [...path, field];
    const key = `${message.name}.${field.name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    if (isNew) yield place;
    if (hasMembers(field.type) && field.type.message.form === 'object')
      yield* visit(field.type.message, place, seen, [...outer, message]);
  }
}

/** The base of an object with the value at the place. Items and map values on the way are the first ones. */
function withValue(base, place, value) {
  const [field, ...rest] = place;
  const inner = (given) => withValue(given ?? namedBase(field), rest, value);
  const former = base[field.name];
  if (rest.length === 0) return { ...base, [field.name]: value };
  if (field.shape === 'list') return { ...base, [field.name]: [inner(former?.[0])] };
  if (field.shape === 'map') return { ...base, [field.name]: { a: inner(former?.a) } };
  return { ...base, [field.name]: inner(former) };
}

const namedBase = ({ type }) => {
  const name = type.message.byName.get('name');
  return name !== undefined && isText(name.type) && name.shape === 'single' ? { name: 'a' } : {};
};

/**
 * All cases: `{ name, path, method, create, make }`. `make()` returns the body to send; cases of a status
 * replace that of the object `create`.
 * @param model the exports of {@link MODEL_MODULES}
 */
export function* fieldCases({ builtinResources, kindType }) {
  const seen = new Set();
  const rows = builtinResources(() => true).filter(({ verbs }) => verbs.includes('create'));
  // The fields of the metadata are visited in a kind whose objects are checked like most others.
  rows.sort((a, b) => Number(b.kind === 'ConfigMap') - Number(a.kind === 'ConfigMap'));
  for (const row of rows) {
    const { group, version, resource, kind } = row;
    const type = kindType(group, version, kind);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
    const collection = `${root}${row.namespaced ? '/namespaces/default' : ''}/${resource}`;
    const given = BASES[kind] ?? {};
    // Reviews have no name.
    const name = row.storage === undefined ? {} : { name: 'a' };
    const base = { apiVersion, kind, ...given, metadata: { ...name, ...given.metadata } };
    const hasStatus = row.subresources.some(({ name }) => name === 'status');
    for (const place of visit(type, [], seen, [])) {
      const isStatus = hasStatus && place[0].name === 'status';
      const path = place.map((field) => field.name).join('.');
      for (const [text, make] of valuesOf(place.at(-1)))
        yield {
          name: `${version} ${kind} ${path}: ${text}`,
          method: isStatus ? 'PUT' : 'POST',
          path: isStatus ? `${collection}/${base.metadata.name}/status` : collection,
          create: isStatus ? { path: collection, object: base } : undefined,
          make: () => JSON.stringify(withValue(base, place, make())),
        };
    }
  }
}
