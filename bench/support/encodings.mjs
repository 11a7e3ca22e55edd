// Request bodies and answers near the limits whose cost is in their encoding.
import { container, many, map } from './hostile.mjs';

const core = (resource) => `/api/v1/namespaces/default/${resource}`;
/** Bytes of a body that is nearly as long as the limit. */
const LENGTH = 2_900_000;

/** A YAML ConfigMap with more lines. */
const yaml = (text) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n${text}`;
const filled = (make, length = LENGTH) => {
  const pieces = [];
  for (let bytes = 0; bytes < length; ) {
    const piece = make(pieces.length);
    bytes += piece.length;
    pieces.push(piece);
  }
  return pieces.join('');
};

/** A mapping of some keys, and many mappings that merge it. */
const merges = (keys, copies, merge = '{<<: *a}') =>
  yaml(`x: &a {${many(keys, (index) => `k${index}: 1`)}}\ny:\n${`- ${merge}\n`.repeat(copies)}`);

const YAML = {
  'merges of a mapping, 5 kB': () => merges(300, 220),
  'merges of lists of mappings, 5 kB': () => merges(150, 12, `{<<: [${many(80, () => '*a')}]}`),
  'merges in levels, 5 kB': () =>
    yaml(
      many(
        100,
        (level) =>
          `a${level}: &a${level} {${level > 0 ? `<<: *a${level - 1}, ` : ''}b${level}: 1, c${level}: 1, d${level}: 1}\n`,
      ).join(''),
    ),
  'merges that exceed the parts, 8 kB': () => merges(400, 400),
  'aliases of a list, 5 kB': () => yaml(`x: &a [${many(700, () => '1')}]\ny: [${many(140, () => '*a')}]\n`),
  'aliases of a text': () => yaml(`x: &a ${'t'.repeat(25_000)}\ny: [${many(100, () => '*a')}]\n`),
  'items of a block list': () => yaml(`x:\n${filled(() => '- a\n')}`),
  'empty items of a block list': () => yaml(`x:\n${filled(() => '-\n')}`),
  'items of a flow list': () => yaml(`x: [${filled(() => 'a,')}a]\n`),
  'members of a mapping': () => yaml(`data:\n${filled((index) => `  k${index}: a\n`)}`),
  '40,000 members': () => yaml(`data:\n${many(40_000, (index) => `  k${index}: a\n`).join('')}`),
  'members repeated': () => yaml(`data:\n${filled(() => '  k: a\n')}`),
  anchors: () => yaml(`x:\n${filled((index) => `- &a${index} a\n`)}`),
  documents: () => filled(() => '---\na\n'),
  comments: () => yaml(filled(() => '# a\n')),
  'a plain text of lines': () => yaml(`data:\n  k: ${filled(() => 'word\n    ')}\n`),
  'a literal text of lines': () => yaml(`data:\n  k: |\n${filled(() => '    word\n')}`),
  'a quoted text of escapes': () => yaml(`data:\n  k: "${filled(() => '\\n')}"\n`),
  'a quoted text of wide characters': () => yaml(`data:\n  k: "${filled(() => '\\u4e00')}"\n`),
  'a long text without breaks': () => yaml(`data:\n  k: ${'x'.repeat(LENGTH)}\n`),
  'a text that does not end': () => yaml(`data:\n  k: "${filled(() => 'word ')}`),
  'depth of flow lists': () => yaml(`x: ${'['.repeat(9000)}${']'.repeat(9000)}\n`),
  numbers: () => yaml(`x: [${filled((index) => `${index % 1000}.5e3,`)}1]\n`),
  tags: () => yaml(`x:\n${filled(() => '- !!str a\n')}`),
};

const JSON_TEXTS = {
  'ends inside of line breaks': () => `{"metadata":{"name":"a"},"data":{"k":"${filled(() => '\\n')}`,
  'ends inside of backslashes': () => `{"metadata":{"name":"a"},"data":{"k":"${filled(() => '\\\\')}`,
  'ends inside of code points': () => `{"metadata":{"name":"a"},"data":{"k":"${filled(() => '\\u00e9')}`,
  'ends inside of surrogates': () =>
    `{"metadata":{"name":"a"},"data":{"k":"${filled(() => '\\ud83d\\ude00')}`,
  'ends after single characters and escapes': () =>
    `{"metadata":{"name":"a"},"data":{"k":"${filled(() => 'a\\n')}`,
  'a text of code points': () => `{"metadata":{"name":"a"},"data":{"k":"${filled(() => '\\u00e9')}"}}`,
  'a text of lone surrogates': () => `{"metadata":{"name":"a"},"data":{"k":"${filled(() => '\\ud83d')}"}}`,
  'a list that does not end': () => `{"metadata":{"name":"a"},"x":[${filled(() => '1,', 190_000)}`,
  'escaped names': () =>
    `{"metadata":{"name":"a"},${filled((index) => `"\\u0061${index}":1,`, 900_000)}"x":1}`,
  'white space': () => `{"metadata":{"name":"a"}${' '.repeat(LENGTH)}`,
};

/** A protobuf envelope of an object. */
function envelope(kind, raw) {
  const field = (number, bytes) => {
    const head = [number * 8 + 2];
    let { length } = bytes;
    for (; length > 127; length = Math.floor(length / 128)) head.push((length % 128) + 128);
    return Buffer.concat([Buffer.from([...head, length]), bytes]);
  };
  const type = Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from(kind))]);
  return { field, bytes: Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw(field))]) };
}
const named = (field) => field(1, field(1, Buffer.from('a')));
const repeated = (bytes, count) => Buffer.concat(many(count, () => Buffer.from(bytes)));
const podOf = (spec) => envelope('Pod', (field) => Buffer.concat([named(field), field(2, spec)])).bytes;

const PROTOBUF = {
  'empty containers': [core('pods'), () => podOf(repeated([0x12, 0], 90_000))],
  'empty volumes': [core('pods'), () => podOf(repeated([0x0a, 0], 90_000))],
  'empty init containers': [core('pods'), () => podOf(repeated([0xa2, 1, 0], 90_000))],
  'empty tolerations': [core('pods'), () => podOf(repeated([0xb2, 1, 0], 90_000))],
  'empty environment': [
    core('pods'),
    () => {
      const { field } = envelope('Pod', () => Buffer.alloc(0));
      return podOf(field(2, Buffer.concat([field(1, Buffer.from('a')), repeated([0x3a, 0], 90_000)])));
    },
  ],
  'more containers than the limit': [core('pods'), () => podOf(repeated([0x12, 0], 1_400_000))],
  'empty ports': [
    core('services'),
    () =>
      envelope('Service', (field) => Buffer.concat([named(field), field(2, repeated([0x0a, 0], 90_000))]))
        .bytes,
  ],
  'empty subsets': [
    core('endpoints'),
    () => envelope('Endpoints', (field) => Buffer.concat([named(field), repeated([0x12, 0], 90_000)])).bytes,
  ],
  'empty entries of data': [
    core('configmaps'),
    () => envelope('ConfigMap', (field) => Buffer.concat([named(field), repeated([0x12, 0], 90_000)])).bytes,
  ],
};

/** The requests with a body: name, path, media type and a function that makes the body. */
export const REQUESTS = [
  ...Object.entries(YAML).map(([name, make]) => [
    `YAML: ${name}`,
    core('configmaps'),
    'application/yaml',
    make,
  ]),
  ...Object.entries(JSON_TEXTS).map(([name, make]) => [
    `JSON: ${name}`,
    core('configmaps'),
    'application/json',
    make,
  ]),
  ...Object.entries(PROTOBUF).map(([name, [path, make]]) => [
    `protobuf: ${name}`,
    path,
    'application/vnd.kubernetes.protobuf',
    make,
  ]),
];

const configMap = (data) => [core('configmaps'), { metadata: { name: 'a' }, data }];

/** Objects that are read in each encoding. */
export const OBJECTS = {
  'a Pod of 3,000 containers': [
    core('pods'),
    {
      metadata: { name: 'a' },
      spec: { containers: many(3000, (index) => ({ ...container, name: `c${index}` })) },
    },
  ],
  '40,000 keys': configMap(map(40_000, (index) => `k${index}`, 'v')),
  'a text of 1 MB': configMap({ k: 'x'.repeat(1_000_000) }),
  'a text of 1 MB in lines': configMap({ k: filled(() => 'word\n', 1_000_000) }),
  'a text of 1 MB in words': configMap({ k: filled(() => 'word ', 1_000_000) }),
  'a text of 400 kB to be escaped': configMap({ k: filled(() => '\u0001 ', 400_000) }),
};

export const ENCODINGS = {
  JSON: ['application/json', ''],
  'indented JSON': ['application/json', '?pretty=1'],
  YAML: ['application/yaml', ''],
  protobuf: ['application/vnd.kubernetes.protobuf', ''],
  'a table in YAML': ['application/yaml;as=Table;v=v1;g=meta.k8s.io', '?includeObject=Object'],
};
