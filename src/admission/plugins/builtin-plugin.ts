import type { AdmissionPlugin } from '../../request/admission.ts';

/** What a plugin does, which never changes; the table of plugins names it. */
export type BuiltinPlugin = Omit<AdmissionPlugin, 'name' | 'generation' | 'isConfiguredByObjects'>;
