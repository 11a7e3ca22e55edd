#!/usr/bin/env node
// Writes the TypeScript interfaces of the type model (src/model/generated) from its declarations
// (src/model/types). Usage: node scripts/generate-types.mjs [--check]      --check writes nothing and fails
// where a file differs

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const directory = new URL('src/model/generated/', root);

/** The type model with the types and fields of every release. */
async function loadTypes() {
  const directory = new URL('src/model/', root).pathname;
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { internalTypes } from './internal-types.ts';
        export { laterDeclarations } from './types/later.ts';`,
      resolveDir: directory,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const { internalTypes, laterDeclarations } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  for (const { load } of laterDeclarations) internalTypes.add((await load()).default);
  return internalTypes;
}

/** Written manually in object.ts, since generic code uses them. */
const handWritten = new Set(['meta_v1.ObjectMeta', 'meta_v1.OwnerReference', 'meta_v1.ManagedFieldsEntry']);
const scalarTypes = {
  string: 'string',
  boolean: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bytes: 'string',
};
const formTypes = {
  duration: 'string',
  quantity: 'string',
  intOrString: 'number | string',
  raw: 'RawJson',
  any: 'RawJson',
  groupVersion: 'string',
  unknown: 'RawJson',
};

const familyOf = (type) => type.name.slice(0, type.name.indexOf('.'));
const fileOf = (family) => family.replaceAll('_', '-');
const aliasOf = (family) => family.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const listOf = (type) => (type.includes(' ') ? `(${type})[]` : `${type}[]`);
const memberName = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** The interfaces of one family and their imports. */
class FamilyFile {
  constructor(family) {
    this.family = family;
    this.imports = new Set();
    this.objects = new Set();
  }

  valueType({ scalar, message }, pointer) {
    if (scalar !== undefined) return scalarTypes[scalar];
    switch (message.form) {
      case 'object':
        return this.reference(message);
      case 'time':
      case 'microTime':
        return pointer ? 'string' : 'string | null';
      case 'array':
        return listOf(this.valueType(message.items, true));
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray': {
        const [schema, other] = message.fields
          .map((field) => ({ name: field.name, type: this.fieldType(field) }))
          .sort((a) => (a.name === 'Schema' ? -1 : 1));
        return `${schema.type} | ${other.type}`;
      }
      default:
        if (formTypes[message.form] === 'RawJson') this.objects.add('RawJson');
        return formTypes[message.form];
    }
  }

  reference(message) {
    const family = familyOf(message);
    if (family === this.family) return message.shortName;
    this.imports.add(family);
    return `${aliasOf(family)}.${message.shortName}`;
  }

  fieldType(field) {
    const value = this.valueType(field.type, field.pointer || field.shape !== 'single');
    return field.shape === 'list'
      ? listOf(value)
      : field.shape === 'map'
        ? `Record<string, ${value}>`
        : value;
  }

  /** Kinds are type aliases, which unlike interfaces are assignable to KubernetesObject. */
  declaration(type) {
    const members = [...type.byName.values()].map(
      (field) => `  ${memberName(field.name)}?: ${this.fieldType(field)};`,
    );
    if (type.typeMeta) members.unshift('  apiVersion?: string;', '  kind?: string;');
    const [open, close] = type.typeMeta
      ? [`export type ${type.shortName} = {`, '};']
      : [`export interface ${type.shortName} {`, '}'];
    return members.length === 0 && !type.typeMeta
      ? `export type ${type.shortName} = Record<string, never>;`
      : [open, ...members, close].join('\n');
  }

  text(types) {
    const byHand = types.filter(({ name }) => handWritten.has(name)).map(({ shortName }) => shortName);
    for (const name of byHand) this.objects.add(name);
    const declarations = types
      .filter(({ form, name }) => form === 'object' && !handWritten.has(name))
      .map((type) => this.declaration(type));
    if (declarations.length === 0) return undefined;
    const imports = [...this.imports]
      .sort()
      .map((family) => `import type * as ${aliasOf(family)} from './${fileOf(family)}.ts';`);
    if (this.objects.size > 0)
      imports.unshift(`import type { ${[...this.objects].sort().join(', ')} } from '../object.ts';`);
    const exports = byHand.length > 0 ? [`export type { ${byHand.sort().join(', ')} };`] : [];
    return [
      '// Written by scripts/generate-types.mjs: change the declarations in ../types instead.',
      ...imports,
      '',
      [...exports, ...declarations].join('\n\n'),
      '',
    ].join('\n');
  }
}

const types = await loadTypes();
const byFamily = new Map();
for (const type of types.all()) byFamily.set(familyOf(type), [...(byFamily.get(familyOf(type)) ?? []), type]);
const wanted = new Map();
for (const [family, types] of byFamily) {
  const text = new FamilyFile(family).text(types);
  if (text !== undefined) wanted.set(`${fileOf(family)}.ts`, text);
}

mkdirSync(directory, { recursive: true });
const present = readdirSync(directory);
if (process.argv.includes('--check')) {
  const differing = [...new Set([...present, ...wanted.keys()])].filter(
    (name) => !present.includes(name) || readFileSync(new URL(name, directory), 'utf8') !== wanted.get(name),
  );
  for (const name of differing)
    console.error(
      `src/model/generated/${name} differs from the declarations: run node scripts/generate-types.mjs`,
    );
  process.exitCode = differing.length === 0 ? 0 : 1;
} else {
  for (const name of present) if (!wanted.has(name)) rmSync(new URL(name, directory));
  for (const [name, text] of wanted) writeFileSync(new URL(name, directory), text);
}
