import { describe, expect, it } from 'vitest';
import { alignTable, priorityLevelTable, queueTable, requestTable } from '../../src/flow-control/index.ts';
import { request } from '../filters/context.ts';
import { ANYBODY, EVERY_RESOURCE, flowControl, level, queues, schema, user } from './support.ts';

function busy() {
  const parts = flowControl({
    seats: 2,
    schemas: [schema('s', 1, { subjects: ANYBODY, resourceRules: EVERY_RESOURCE }, 'l', 'ByUser')],
    levels: [
      level('l', {
        nominalConcurrencyShares: 5,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: queues(2, 1, 3),
      }),
    ],
  });
  const { context } = request('GET', '/api/v1/namespaces/n/pods/p/status');
  context.user = user('a,\nb');
  for (let index = 0; index < 2; index += 1) parts.control.start(context, parts.control.flowOf(context));
  return parts;
}

describe('the debug tables', () => {
  it('align their columns', () => {
    expect(
      alignTable([
        ['Name', 'Count', 'Last'],
        ['a-long-name', 1, true],
      ]),
    ).toBe('Name,        Count,  Last\na-long-name, 1,      true\n');
  });

  it('list the levels with their requests', () => {
    const { control } = busy();
    expect([...priorityLevelTable(control.levels)].find(([name]) => name === 'l')).toEqual([
      'l',
      1,
      false,
      false,
      1,
      1,
      1,
      0,
      0,
      0,
    ]);
  });

  it('list all queues, used or not', () => {
    const { control } = busy();
    const rows = [...queueTable(control.levels)].filter(([name]) => name === 'l');
    expect(rows.map(([, index]) => index)).toEqual([0, 1]);
    const used = rows.find(([, , waiting]) => waiting === 1);
    expect(used?.slice(2)).toEqual([1, 1, 1, '0.00300000ss', 1, 1, '0.00300000ss']);
  });

  it('list requests, with details and without line feeds in names', () => {
    const { control, clock } = busy();
    const rows = [...requestTable(control.levels, true, clock.now)].slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]!.slice(0, 2)).toEqual(['l', 's']);
    expect(rows.map(([, , , position]) => position)).toEqual([0, -1]);
    expect(rows[0]!.slice(9)).toEqual([
      '0001-01-01T00:00:00Z',
      'a,\nb',
      'get',
      '/api/v1/namespaces/n/pods/p/status',
      'n',
      'p',
      'v1',
      'pods',
      'status',
    ]);
    expect(alignTable(rows).split('\n')).toHaveLength(3);
    expect([...requestTable(control.levels, false, clock.now)][0]).toHaveLength(10);
  });

  it('leave out the requests of the server itself', () => {
    const { control, clock } = flowControl();
    const { context } = request('GET', '/api/v1/nodes');
    context.user = user('system:apiserver', 'system:masters');
    context.isOwnWrite = true;
    control.start(context, control.flowOf(context));
    expect([...requestTable(control.levels, false, clock.now)]).toHaveLength(1);
  });
});
