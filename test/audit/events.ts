import type { AuditEvent } from '../../src/audit/event.ts';
import { NO_EXTRA } from '../../src/request/user.ts';

/** An audit event with defaults. */
export const event = (more: Partial<AuditEvent> = {}): AuditEvent => ({
  level: 'Metadata',
  auditID: 'id-1',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/pods?limit=1&watch=1',
  verb: 'list',
  user: { name: 'ivy', uid: 'u', groups: ['g', 'h'], extra: NO_EXTRA },
  impersonatedUser: undefined,
  sourceIPs: ['10.0.0.1'],
  userAgent: 'probe/1',
  objectRef: undefined,
  responseStatus: { code: 200 },
  requestObject: undefined,
  responseObject: undefined,
  received: Date.UTC(2026, 0, 2, 3, 4, 5, 6) + 0.5,
  staged: Date.UTC(2026, 0, 2, 3, 4, 5, 7),
  annotations: new Map(),
  ...more,
});
