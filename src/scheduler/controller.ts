import type { Controller, NamedContext } from '../reconcile/controller.ts';
import { controllerQueue } from '../reconcile/work-queue.ts';
import { Scheduler } from './executor/scheduler.ts';
import type { SchedulerSettings } from './executor/settings.ts';

/** The key of the only work: to schedule the pods whose turn it is. */
const SCHEDULE = 'schedule';
/** How long pods are scheduled before other work has its turn. */
const TURN_MILLISECONDS = 4;

/** The scheduler as a controller. It schedules one pod at a time. */
export function schedulerController(parts: NamedContext, settings: SchedulerSettings): Controller {
  const queue = controllerQueue(
    parts,
    parts.name,
    async () => {
      await scheduler.work(TURN_MILLISECONDS);
      if (scheduler.queue.hasNext) queue.add(SCHEDULE);
      return 'done';
    },
    1,
  );
  const scheduler = new Scheduler(parts, settings, () => queue.add(SCHEDULE));
  const rest = { start: () => undefined, synced: Promise.resolve(), stop: async () => scheduler.stop() };
  return {
    name: parts.name,
    sources: [scheduler.nodes, scheduler.pods, ...scheduler.world.groups, rest],
    queue,
  };
}
