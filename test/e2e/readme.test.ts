import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from '../support/documents.ts';
import { hasKubectl } from './support/kubectl.ts';
import { commandsOf, Workspace } from './support/workspace.ts';

/** Blocks of kubectl's commands, each with the output that the README shows below it. */
function shownCommands(): { readonly line: number; readonly commands: string[]; readonly output: string }[] {
  const blocks = codeBlocks('README.md');
  return blocks.flatMap(({ language, text, line }, index) => {
    const next = blocks[index + 1];
    const isShown = language === 'sh' && text.startsWith('kubectl') && next?.language === 'text';
    return isShown ? [{ line, commands: commandsOf(blocks[index]!), output: next.text }] : [];
  });
}

/** The lines of an output without what is different each time: names, addresses, nodes, ages, progress. */
const comparable = (output: string): string[] =>
  output
    .trim()
    .split('\n')
    .filter((line) => !/^(Waiting for|evicting) /.test(line))
    .map((line) =>
      line
        .replaceAll(/\bweb-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g, 'web-HASH-RANDOM')
        .replaceAll(/\bweb-[a-z0-9]{5}\b/g, 'web-RANDOM')
        .replaceAll(/\b\d+\.\d+\.\d+\.\d+\b/g, 'ADDRESS')
        .replaceAll(/\bnode-\d\b/g, 'NODE')
        .replaceAll(/\b(\d+m)?\d+s\b/g, 'AGE')
        .replaceAll(/ +/g, ' ')
        .trimEnd(),
    );

/** What is left of a shown output: `...` stands for lines that are not shown. */
function differs(shown: readonly string[], actual: readonly string[]): string[] {
  const left = [...actual];
  const missing: string[] = [];
  let skips = false;
  for (const line of shown) {
    if (line === '...') {
      skips = true;
      continue;
    }
    const found = skips ? left.indexOf(line) : left[0] === line ? 0 : -1;
    if (found < 0) missing.push(`not printed: ${line}`);
    else left.splice(0, found + 1);
    skips = false;
  }
  return skips ? missing : [...missing, ...left.map((line) => `not shown: ${line}`)];
}

describe.skipIf(!hasKubectl)('the outputs in the README', () => {
  const workspace = new Workspace();
  beforeAll(() => workspace.serve('npm start -- --simulate-nodes=3'));
  afterAll(() => workspace.remove());

  it.each(shownCommands())('of the commands at line $line are those that come', ({ commands, output }) => {
    const actual = commands.map((command) => workspace.run(command)).join('');
    expect(differs(comparable(output), comparable(actual))).toEqual([]);
  });

  it('are compared', () => expect(shownCommands().length).toBe(2));
});
