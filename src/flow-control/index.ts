export type { Flow } from './flow.ts';
export { FlowControl } from './flow-control.ts';
export { RequestUse, requestKind } from './kind-use.ts';
export { type FlowControlLister, type MandatoryObjects, mandatoryObjects } from './settings.ts';
export { alignTable, priorityLevelTable, queueTable, requestTable } from './tables.ts';
export type { Ticket } from './ticket.ts';
