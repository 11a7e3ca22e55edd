import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeName, compiledCommand } from '../../src/executable/compiled-command.ts';
import { evaluateBundle } from '../../src/executable/compiled-script.ts';

const BUNDLE = `
function compiledLate() { return [require('node:path').sep, __filename]; }
exports.runProcess = () => compiledLate();
`;
const here = import.meta.filename;
const surroundings = { name: 'bundle.cjs', require: createRequire(here), file: here };

interface Exports {
  runProcess(): unknown;
}

describe('the compiled command', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'binnacle-compiled-')), 'compiled');
    mkdirSync(folder);
    writeFileSync(join(folder, 'command.cjs'), BUNDLE);
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  it('is not there without code for this V8', () => {
    writeFileSync(join(folder, 'command-1.2.3-linux-x64.code'), '');
    expect(compiledCommand(folder)).toBeUndefined();
    expect(compiledCommand(join(folder, 'unknown'))).toBeUndefined();
  });

  it('loads from the bundle with code that ran before', () => {
    const { script, exports } = evaluateBundle<Exports>(BUNDLE, surroundings);
    exports.runProcess();
    writeFileSync(join(folder, codeName()), script.createCachedData());
    const command = compiledCommand(folder) as unknown as Exports;
    expect(command.runProcess()).toEqual(['/', join(folder, 'command.cjs')]);
  });

  it('loads from the bundle where V8 does not take the code', () => {
    writeFileSync(join(folder, codeName()), 'not compiled code');
    const command = compiledCommand(folder) as unknown as Exports;
    expect(command.runProcess()).toEqual(['/', join(folder, 'command.cjs')]);
  });
});

describe('a bundle', () => {
  it('knows functions that ran, once it is compiled again', () => {
    const first = evaluateBundle<Exports>(BUNDLE, surroundings);
    first.exports.runProcess();
    const compiled = first.script.createCachedData();
    const second = evaluateBundle<Exports>(BUNDLE, { ...surroundings, compiled });
    expect(second.script.cachedDataRejected).toBe(false);
    expect(second.exports.runProcess()).toEqual(['/', here]);
  });
});
