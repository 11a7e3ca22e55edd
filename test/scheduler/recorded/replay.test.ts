import { expect, it } from 'vitest';
import { recorded } from '../../support/recorded.ts';
import { differences } from './compare.ts';
import type { Recording } from './recording.ts';

it.each(['general', 'crowded', 'volumes', 'devices'])(
  'rejects, scores and preempts as kube-scheduler does: %s',
  (kind) => {
    const different: string[] = [];
    let cases = 0;
    for (const [index, recording] of recorded<readonly Recording[]>(`scheduling-${kind}`).entries())
      for (const one of recording.cases) {
        cases += 1;
        const found = differences(recording, one);
        if (found.length > 0)
          different.push(`seed ${index + 1}, ${one.pod.metadata!.name}: ${found.join('; ')}`);
      }
    expect(different).toEqual([]);
    expect(cases).toBeGreaterThanOrEqual(100);
  },
);
