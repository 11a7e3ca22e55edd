import { expect, it } from 'vitest';
import { RecordView } from '../../src/reader/record-view.ts';
import { turnsUntil } from '../cache/support.ts';
import { Fixture } from './support.ts';

it('reads a value from each record, and treats one that cannot be read as absent', async () => {
  const fixture = new Fixture();
  await fixture.put('one', 'a');
  await fixture.put('broken', 'broken');
  const logged: string[] = [];
  const view = new RecordView({
    reader: fixture.reader,
    read: ({ value }) => (JSON.parse(Buffer.from(value).toString()) as { spec: { data: string } }).spec.data,
    logger: {
      detail: (_level, message, fields) => void logged.push(`${message} ${String(fields?.['key'])}`),
    },
    purpose: 'tests',
  });
  const changes: string[] = [];
  view.onChange((name, value, previous) => changes.push(`${name} ${previous}>${value}`));
  view.start();
  await view.synced;
  await fixture.put('broken', 'b');
  await fixture.put('one', 'broken');
  await fixture.delete('broken');
  await turnsUntil(() => changes.length === 4);
  expect(changes).toEqual(['one undefined>a', 'broken undefined>b', 'one a>undefined', 'broken b>undefined']);
  expect([...view.entries()]).toEqual([]);
  expect(logged).toEqual(['failed to follow tests /r/broken', 'failed to follow tests /r/one']);
  expect(fixture.decoded).toEqual([]);
  view.stop();
  await fixture.close();
});
