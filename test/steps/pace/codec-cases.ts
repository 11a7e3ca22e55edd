import fc from 'fast-check';
import { cborParts, writeCbor } from '../../../src/codec/cbor.ts';
import { copyingContainers } from '../../../src/codec/copy.ts';
import { parseJsonExactly } from '../../../src/codec/json-exact.ts';
import { parseJson, parsingJson } from '../../../src/codec/json-parse.ts';
import { writePlain, writePlainWithFloats, writingPlain } from '../../../src/codec/json-plain.ts';
import { strictErrors } from '../../../src/codec/json-strict.ts';
import { sortedKeys, sortingKeys } from '../../../src/codec/json-string.ts';
import { writeJsonWithOffset, writingSplitJson } from '../../../src/codec/json-write.ts';
import { naturallySorted } from '../../../src/codec/natural-order.ts';
import { literalsOf } from '../../../src/codec/number-literals.ts';
import { prettyJson, prettyParts } from '../../../src/codec/pretty.ts';
import { decodeMessage, decodingMessage, encodeMessage } from '../../../src/codec/protobuf.ts';
import { rawFromPlain, writingOwnership, writingRaw } from '../../../src/codec/raw-text.ts';
import { makingPlain, toPlain } from '../../../src/codec/typed.ts';
import { parsingYaml } from '../../../src/codec/yaml.ts';
import { parseYamlAsJson } from '../../../src/codec/yaml-as-json.ts';
import { writeYaml, yamlParts } from '../../../src/codec/yaml-write.ts';
import { RawJson } from '../../../src/model/object.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { arbitraryMessage } from '../../support/arbitrary-object.ts';
import { messageType } from '../../support/types.ts';
import { jsonTexts, trees } from './inputs.ts';
import { paceCase } from './pace-case.ts';

const documents = jsonTexts.text.map((text) => Buffer.from(text));
const objects = jsonTexts.object.map((text) => Buffer.from(text));
const plain = objects.map((bytes) => {
  try {
    return parseJson(bytes).value;
  } catch {
    return {};
  }
});
const pod = messageType('core_v1.Pod');
const definition = messageType('apiextensions_v1.CustomResourceDefinition');
const messages = fc.oneof(
  ...[pod, definition].map((type) => arbitraryMessage(type, 6).map((value) => ({ type, value }))),
);
const yaml = fc.oneof(
  trees.tree.map((tree) => writeYaml(tree)),
  fc.constantFrom(
    'a: &a [1, {b: c}]\nd: [*a, *a]\ne: {<<: {x: 1}}\n',
    '- "a\\tb\n  c"\n- |\n x\n\n y\n',
    'a: [',
    '? a\n: b',
  ),
  jsonTexts.object,
);

function* splitJson(
  type: typeof pod,
  value: object,
  typeMeta: { apiVersion: string; kind: string },
): Steps<unknown> {
  const parts = yield* writingSplitJson(type, value, typeMeta);
  return parts && { text: Buffer.concat([parts.head, ...parts.tail]).toString(), at: parts.head.length };
}
const TYPE_META = { apiVersion: 'v1', kind: 'Pod' };

export const CODEC_CASES = [
  paceCase('codec/json-exact.ts parseJsonExactly', fc.tuple(documents, fc.boolean()), ([bytes, merges]) =>
    parseJsonExactly(bytes, { merges }),
  ),
  paceCase(
    'codec/json-parse.ts parsingJson',
    documents,
    function* (bytes) {
      const { value, duplicates } = yield* parsingJson(bytes);
      return { value, duplicates, literals: literalsOf(value) };
    },
    (bytes) => {
      const { value, duplicates } = parseJson(bytes);
      return { value, duplicates, literals: literalsOf(value) };
    },
  ),
  paceCase(
    ['codec/json-plain.ts writingPlain', 'codec/json-tree.ts writingTree'],
    fc.oneof(trees.tree, plain, fc.constant(new RawJson('{"b":1,"a":"<"}'))),
    (tree) => writingPlain(tree),
    writePlain,
  ),
  paceCase(
    'codec/json-plain.ts writingPlain',
    plain,
    (tree) => writingPlain(tree, literalsOf(tree)),
    (tree) => writePlainWithFloats(tree, literalsOf(tree) ?? new Map()),
  ),
  paceCase(
    'codec/raw-text.ts writingRaw',
    fc.oneof(trees.tree, fc.constant(new RawJson('{"b":1,"a":-0}'))),
    writingRaw,
    rawFromPlain,
  ),
  paceCase(
    'codec/raw-text.ts writingOwnership',
    fc.array(fc.oneof(trees.tree, trees.object)),
    function* (all) {
      const managedFields = all.map((fieldsV1) => ({ fieldsV1 }));
      yield* writingOwnership({ metadata: { managedFields } });
      return managedFields;
    },
  ),
  paceCase(
    'codec/json-strict.ts strictErrors',
    fc.tuple(plain, fc.subarray(['a', 'b', 'a.b']), fc.subarray(['c', 'b.c', 'é'])),
    ([tree, duplicates, unknown]) => strictErrors(Buffer.from(writePlain(tree)), duplicates, unknown),
  ),
  paceCase(
    'codec/json-string.ts sortingKeys',
    trees.object,
    (object) => sortingKeys(Object.keys(object)),
    sortedKeys,
  ),
  paceCase('codec/natural-order.ts naturallySorted', fc.array(fc.string({ maxLength: 4 })), naturallySorted),
  paceCase(
    'codec/json-write.ts writingSplitJson',
    messages,
    ({ type, value }) => splitJson(type, value, TYPE_META),
    ({ type, value }) => {
      const { text, resourceVersionOffset } = writeJsonWithOffset(type, value, TYPE_META);
      return { text: text.toString(), at: resourceVersionOffset };
    },
  ),
  paceCase(
    'codec/typed.ts makingPlain',
    messages,
    ({ type, value }) => makingPlain(type, value, TYPE_META),
    ({ type, value }) => toPlain(type, value, TYPE_META),
  ),
  paceCase(
    'codec/copy.ts copyingContainers',
    trees.object,
    (tree) => copyingContainers(tree),
    structuredClone,
  ),
  paceCase('codec/cbor-write.ts cborParts', fc.oneof(trees.tree, plain), cborParts, (tree) =>
    Buffer.from(writeCbor(tree)).toString('latin1'),
  ),
  paceCase(
    'codec/pretty.ts prettyParts',
    plain.map(writePlain),
    (text) => prettyParts([Buffer.from(text), undefined, Buffer.from(' ')]),
    (text) => Buffer.from(prettyJson(text)).toString('latin1'),
  ),
  paceCase('codec/yaml-write.ts yamlParts', fc.oneof(trees.tree, plain), yamlParts, writeYaml),
  paceCase(
    [
      'codec/yaml-parse.ts parsingYaml',
      'codec/yaml-aliases.ts copyValue',
      'codec/yaml-text.ts readPlain',
      'codec/yaml-text.ts readQuoted',
      'codec/yaml-text.ts readBlock',
    ],
    yaml,
    function* (text) {
      const { value, duplicates } = yield* parsingYaml(Buffer.from(text));
      return { value, duplicates };
    },
  ),
  paceCase('codec/yaml-as-json.ts parseYamlAsJson', documents, (bytes) => parseYamlAsJson(bytes)),
  paceCase(
    ['codec/protobuf.ts decodingMessage', 'codec/protobuf-reader.ts ProtobufReader.readingRaw'],
    fc.tuple(messages, fc.boolean(), fc.nat(20)),
    ([{ type, value }, untrusted, dropped]) =>
      decodingMessage(type, encoded(type, value, dropped), { untrusted }),
    ([{ type, value }, untrusted, dropped]) =>
      decodeMessage(type, encoded(type, value, dropped), { untrusted }),
  ),
];

/** A message, most of the time without its end. */
function encoded(type: typeof pod, value: object, dropped: number): Buffer {
  const bytes = encodeMessage(type, value);
  return dropped > 10 ? bytes.subarray(0, Math.max(0, bytes.length - dropped)) : bytes;
}
