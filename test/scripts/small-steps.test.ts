import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

interface Plugin {
  readonly name: string;
  setup(): void;
}

it('sets the sizes of steps, and leaves bounds as they are', async () => {
  const { smallSteps } = (await import('../../scripts/support/small-steps.mjs' as string)) as {
    smallSteps: Plugin;
  };
  const bundled = async (file: string) => {
    const { outputFiles } = await build({
      entryPoints: [resolve('src', file)],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [smallSteps],
    });
    return outputFiles[0]!.text;
  };
  const validation = await bundled('schema/structural/validate.ts');
  expect(validation).toMatch(/\bSMALL = 4;/);
  expect(validation).toMatch(/\bWORK_PER_STEP = 4;/);
  expect(validation).not.toMatch(/\bMAXIMUM_[A-Z_]+ = 4;/);
});
