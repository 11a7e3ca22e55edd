import type { MessageType } from '../schema/message.ts';

export function applyStrategicMergePatch(_type: MessageType, _document: unknown, _patch: unknown): unknown {
  throw new Error('being written');
}
