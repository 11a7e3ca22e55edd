import { describe, expect, it } from 'vitest';
import { runVersionsCommand } from '../../../src/cli/versions/command.ts';
import { SERVED_MINORS } from '../../../src/model/scheme.ts';

async function printed(...words: string[]): Promise<string> {
  let text = '';
  const code = await runVersionsCommand(words, {
    out: (part) => {
      text += part;
    },
    error: () => undefined,
  });
  expect(code).toBe(0);
  return text;
}

describe('binnacle versions', () => {
  it('lists each minor version with how far it is implemented', async () => {
    const heads = (await printed()).split('\n').filter((line) => /^\d/.test(line));
    expect(heads.map((line) => line.slice(0, 4))).toEqual(SERVED_MINORS);
    expect(heads[0]).toBe('1.32  v1.32.13, complete, the default');
  });

  it('says what one adds, by name', async () => {
    const text = await printed('v1.34');
    expect(text).toContain('storage.k8s.io/v1 VolumeAttributesClass');
    expect(text).toContain('core_v1.PodSpec.hostnameOverride');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(112);
  });

  it('prints an object', async () => {
    const { versions } = JSON.parse(await printed('1.33', '--json'));
    expect(versions).toMatchObject([
      {
        version: '1.33',
        gitVersion: 'v1.33.13',
        isDefault: false,
        changes: { kinds: { added: expect.arrayContaining(['networking.k8s.io/v1 ServiceCIDR']) } },
      },
    ]);
    expect(versions[0].changes.gates.disabled).toContain('WatchList');
  });

  it.each([
    [['--all'], 'unknown flag: --all'],
    [['1.33', '1.34'], 'one minor version at most'],
    [['1.20'], 'use one of 1.32'],
  ])('refuses %j', async (words, message) => {
    await expect(printed(...words)).rejects.toThrow(message);
  });
});
