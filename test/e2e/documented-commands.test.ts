import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/codec/yaml.ts';
import { codeBlocks, PAGES } from '../support/documents.ts';
import { hasKubectl } from './support/kubectl.ts';
import { commandsOf, Workspace } from './support/workspace.ts';

/** Commands that are not run here, with the reason. */
const NOT_RUN: ReadonlyMap<string, string> = new Map([
  ['npm ci', 'replaces node_modules; a step of .ci/run'],
  ['npm run hooks', 'changes the configuration of the repository'],
  ['npm run build', 'replaces dist/, which other tests use; a step of .ci/run'],
  ['npm run release:check', 'replaces dist/, which other tests use; release.test.ts has its parts'],
  ['npm run bench', 'measures for half an hour'],
  ['npm run bench -- get list', 'measures, which other tests disturb'],
  ['npm run lint', 'a step of .ci/run'],
  ['npm run typecheck', 'a step of .ci/run'],
  ['npm run unused', 'a step of .ci/run'],
  ['npx vitest run test/cli', 'runs unit tests, which .ci/run does'],
  ['go test ./...', "runs the tests of the reader's own operator"],
  ['npm run executables -- linux-x64', 'asks the package registry; a step of .ci/full'],
  ['node scripts/complete-lockfile.mjs', 'asks the package registry'],
]);

/** Commands that need an etcd cluster; `npm run test:etcd` runs servers and commands on one. */
const NEEDS_ETCD = /--etcd-servers=|\betcd:http/;

/** Commands that run until they are stopped. */
const SERVERS: ReadonlySet<string> = new Set([
  'npm start',
  'npm start -- --simulate-nodes=3',
  'binnacle --data-dir=backup-1',
  'binnacle --simulate-nodes=3',
]);

/** Languages of code that runs here. */
const RUN = ['sh', 'js', 'yaml'];
/** Output, drawings, and excerpts in the languages of the wrappers, whose tests have the same calls. */
const SHOWN = ['text', 'mermaid', 'csharp', 'go', 'ini', 'java', 'python', 'rust', 'toml', 'xml'];
const blocksOf = (page: string, language: string) =>
  codeBlocks(page).filter((block) => block.language === language);

describe('documented commands', () => {
  let workspace: Workspace | undefined;
  afterEach(async () => {
    await workspace?.remove();
    workspace = undefined;
  });

  const withCommands = PAGES.filter((page) => blocksOf(page, 'sh').length > 0);

  it.each(withCommands)('of %s succeed', async (page) => {
    workspace = new Workspace();
    const commands = blocksOf(page, 'sh').flatMap(commandsOf);
    // A page may require a server that its reader has started.
    const needsServer = commands.some((command) => /^kubectl|^binnacle backup/.test(command));
    if (needsServer && !SERVERS.has(commands[0]!)) await workspace.serve('binnacle');
    for (const command of commands) {
      if (NOT_RUN.has(command) || NEEDS_ETCD.test(command) || (command.startsWith('kubectl') && !hasKubectl))
        continue;
      if (SERVERS.has(command)) await workspace.serve(command);
      else workspace.run(command);
    }
  });

  it.each(PAGES.flatMap((page) => blocksOf(page, 'js')))(
    'as a program at $page:$line succeeds',
    ({ text }) => {
      workspace = new Workspace();
      writeFileSync(join(workspace.directory, 'program.mjs'), text);
      workspace.run(`'${process.execPath}' program.mjs`);
    },
  );

  it.each(PAGES.flatMap((page) => blocksOf(page, 'yaml')))('document at $page:$line is YAML', ({ text }) =>
    expect(parseYaml(Buffer.from(text)).duplicates).toEqual([]),
  );

  it('are in blocks of known languages', () => {
    const unknown = PAGES.flatMap(codeBlocks).filter(
      ({ language }) => ![...RUN, ...SHOWN].includes(language),
    );
    expect(unknown).toEqual([]);
  });

  it('are listed as not run, or as servers, only while a page has them', () => {
    const documented = new Set(PAGES.flatMap((page) => blocksOf(page, 'sh').flatMap(commandsOf)));
    expect([...NOT_RUN.keys(), ...SERVERS].filter((command) => !documented.has(command))).toEqual([]);
  });
});
