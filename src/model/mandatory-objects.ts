/** Names of the flow schemas and priority levels without which a server does not work; their specs are fixed. */
export const MANDATORY_FLOW_CONTROL: ReadonlySet<string> = new Set(['exempt', 'catch-all']);
