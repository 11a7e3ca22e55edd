import { request } from 'node:http';
import { expect, it, vi } from 'vitest';
import { runStandIn } from '../../../src/cli/envtest/etcd-stand-in.ts';

const collected = () => {
  const seen = { out: '', error: '' };
  return {
    seen,
    out: (text: string) => {
      seen.out += text;
    },
    error: (text: string) => {
      seen.error += text;
    },
  };
};

it.each([[['--help']], [['-h']]])('prints help for %j, which envtest asks for', async (words) => {
  const output = collected();
  expect(await runStandIn(words, output)).toBe(0);
  expect(output.seen.out).toContain('etcd --listen-client-urls URL');
  expect(output.seen.out).not.toMatch(/^\s*--unsafe-no-fsync/m);
});

it.each([[['--version']], [['-version']]])('prints a version for %j', async (words) => {
  const output = collected();
  expect(await runStandIn(words, output)).toBe(0);
  expect(output.seen.out).toMatch(/^etcd Version: \d+\.\d+\.\d+\n$/);
});

it.each([[[]], [['--name=x']], [['--listen-client-urls']], [['--listen-client-urls=https://127.0.0.1:1']]])(
  'refuses %j',
  async (words) => {
    await expect(runStandIn(words, collected())).rejects.toThrow('--listen-client-urls must be http URLs');
  },
);

const get = (port: number, path: string) =>
  new Promise<string>((resolve, reject) => {
    request({ port, path, host: '127.0.0.1' }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(`${response.statusCode} ${text}`);
    })
      .on('error', reject)
      .end();
  });

it.each([
  ['--listen-client-urls', ' '],
  ['--listen-client-urls', '='],
  ['-listen-client-urls', ' '],
])('answers with %s in the form %j, and ends at once with a connection open', async (flag, separator) => {
  const output = collected();
  const words = `-data-dir x ${flag}${separator}http://127.0.0.1:0`.split(' ');
  const ended = runStandIn(words, output);
  await vi.waitFor(() => expect(output.seen.error).toMatch(/on port \d+\n$/));
  const port = Number(/\d+/.exec(output.seen.error)![0]);
  expect(await get(port, '/health')).toBe('200 {"health":"true","reason":""}');
  expect(await get(port, '/readyz')).toBe('200 ok\n');
  expect(await get(port, '/version')).toMatch(/^200 {"etcdserver":"3\./);
  expect(await get(port, '/v3/kv/range')).toMatch(/^404 /);
  process.emit('SIGTERM');
  expect(await ended).toBe(0);
});
