import { afterAll, beforeAll, expect, it } from 'vitest';
import { recorded } from '../support/recorded.ts';
import { RecordedServer } from './recorded-server.ts';

/** The cells of the row of a bookmark by path. */
const recording = recorded<Record<string, unknown[]>>('1.34/bookmark-rows');
let server: RecordedServer;
beforeAll(async () => {
  server = await RecordedServer.start({ kubernetesVersion: '1.34' });
});
afterAll(() => server.stop());

it.each(Object.keys(recording))('ends the initial rows of %s with a row of an empty object', async (path) =>
  expect(await server.bookmarkCells(path)).toEqual(recording[path]),
);
