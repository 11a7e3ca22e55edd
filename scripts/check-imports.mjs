#!/usr/bin/env node
// Checks the imports in src/: their direction between parts of the architecture (type-only imports included),
// cycles of files and of parts, and unused permissions. Type-only imports between two files of one part are not a
// cycle: they do not exist at run time. Also checks that files take time and timers from the clocks of src/time/.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript-6';
import { ALLOWED, DESCRIPTIONS, LEAVES, WIRING } from './import-rules.mjs';
import { clockUses } from './support/clock-uses.mjs';

const partOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);

/** Whether an import or export declaration contains only types, which do not exist at run time. */
function isTypeOnly(statement) {
  const clause = typescript.isImportDeclaration(statement) ? statement.importClause : statement;
  if (clause === undefined) return false;
  const named = typescript.isImportDeclaration(statement) ? clause.namedBindings : clause.exportClause;
  const allTypes =
    named !== undefined &&
    'elements' in named &&
    named.elements.length > 0 &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly);
  return clause.isTypeOnly || (allTypes && clause.name === undefined);
}

/**
 * Returns the imports of `file` below src/: `all` by any import, export, import() or import type; `loaded`
 * those that are loaded before the file itself.
 */
function importsOf(file, known, problems) {
  const text = readFileSync(join('src', file), 'utf8');
  const targetOf = (specifier) => normalize(join(dirname(file), specifier));
  const all = new Set();
  for (const { fileName } of typescript.preProcessFile(text, true, true).importedFiles) {
    if (!fileName.startsWith('.')) continue;
    if (known.has(targetOf(fileName))) all.add(targetOf(fileName));
    else problems.push(`src/${file} imports ${fileName}, which is not a file below src/`);
  }
  const declarations = typescript
    .createSourceFile(file, text, typescript.ScriptTarget.ES2022)
    .statements.filter(
      (statement) =>
        (typescript.isImportDeclaration(statement) || typescript.isExportDeclaration(statement)) &&
        statement.moduleSpecifier !== undefined,
    );
  const loaded = declarations
    .filter((statement) => !isTypeOnly(statement))
    .map((statement) => targetOf(statement.moduleSpecifier.text));
  return { all: [...all], loaded: loaded.filter((target) => known.has(target)) };
}

function isAllowed(from, target) {
  const allowed = ALLOWED[from];
  const to = partOf(target);
  if (from === to || allowed.includes('*')) return true;
  return !WIRING.has(to) && (allowed.includes(to) || allowed.includes(target));
}

/**
 * Returns a problem for each unused entry of the table: the part has no files, or none of its files has the
 * import. `...LEAVES` is one entry.
 */
function unusedPermissions(graph) {
  const used = new Map();
  for (const [file, { all }] of graph) {
    const targets = used.get(partOf(file)) ?? new Set();
    used.set(partOf(file), targets);
    for (const target of all) targets.add(target).add(partOf(target));
  }
  return Object.entries(ALLOWED).flatMap(([from, allowed]) => {
    const targets = used.get(from);
    if (targets === undefined) return [`scripts/import-rules.mjs: ${from} has no files`];
    const hasLeaves = LEAVES.every((leaf) => allowed.includes(leaf));
    const isLeaf = (entry) => hasLeaves && LEAVES.includes(entry);
    const isUsed = (entry) =>
      entry === '*' || (targets.has(entry) && (entry === partOf(entry) || !allowed.includes(partOf(entry))));
    const unused = allowed.filter((entry) => !isLeaf(entry) && !isUsed(entry));
    if (hasLeaves && !LEAVES.some((leaf) => targets.has(leaf))) unused.push('...LEAVES');
    return unused.map((entry) => `scripts/import-rules.mjs: ${from} does not need the permission ${entry}`);
  });
}

/** Returns the cycles that a walk through the graph closes; empty exactly if the graph has none. */
function cycles(graph) {
  const found = [];
  const state = new Map();
  const path = [];
  const visit = (file) => {
    state.set(file, 'open');
    path.push(file);
    for (const target of graph.get(file)) {
      if (state.get(target) === 'open') found.push([...path.slice(path.indexOf(target)), target]);
      else if (state.get(target) === undefined) visit(target);
    }
    path.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (state.get(file) === undefined) visit(file);
  return found;
}

/** The parts that the files of each part import, types included. */
function partGraph(graph) {
  const parts = new Map();
  for (const [file, { all }] of graph) {
    const from = partOf(file);
    const targets = parts.get(from) ?? new Set();
    parts.set(from, targets);
    for (const target of all) if (partOf(target) !== from) targets.add(partOf(target));
  }
  return parts;
}

/** Returns a problem for each part without a description, and for each description of no part. */
function undescribed() {
  const described = Object.values(DESCRIPTIONS).flatMap((group) => Object.keys(group));
  return [
    ...Object.keys(ALLOWED)
      .filter((part) => !described.includes(part))
      .map((part) => `scripts/import-rules.mjs: ${part} has no description`),
    ...described
      .filter((part, index) => ALLOWED[part] === undefined || described.indexOf(part) !== index)
      .map((part) => `scripts/import-rules.mjs: ${part} has a description but no permissions, or two`),
  ];
}

function check() {
  const problems = undescribed();
  const files = readdirSync('src', { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const known = new Set(files);
  const graph = new Map(files.map((file) => [file, importsOf(file, known, problems)]));
  for (const [file, { all }] of graph) {
    const from = partOf(file);
    if (ALLOWED[from] === undefined) {
      problems.push(`src/${file}: ${from} is not in the table of scripts/import-rules.mjs`);
      continue;
    }
    for (const target of all)
      if (!isAllowed(from, target))
        problems.push(`src/${file} imports src/${target}: ${from} may not import ${partOf(target)}`);
  }
  for (const cycle of cycles(new Map([...graph].map(([file, { loaded }]) => [file, loaded]))))
    problems.push(`cycle: ${cycle.map((file) => `src/${file}`).join(' → ')}`);
  for (const cycle of cycles(partGraph(graph))) problems.push(`cycle of parts: ${cycle.join(' → ')}`);
  problems.push(...unusedPermissions(graph));
  for (const file of files)
    problems.push(...clockUses(`src/${file}`, readFileSync(join('src', file), 'utf8')));

  for (const problem of problems) console.error(problem);
  console.log(
    `${files.length} files, ${[...graph.values()].flatMap(({ all }) => all).length} imports, ${problems.length} problems`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (resolve(process.argv[1]) === fileURLToPath(import.meta.url)) check();
