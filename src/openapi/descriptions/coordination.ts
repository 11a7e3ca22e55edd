/** Kinds of the group coordination.k8s.io. */
export const COORDINATION: Readonly<Record<string, string>> = {
  LeaseCandidate: 'Candidate for a lease in coordinated leader election.',
  Lease: 'Lock for leader election and heartbeats.',
  LeaseSpec: 'Specification of a lease.',
  'LeaseSpec.holderIdentity': 'Identity of the holder.',
  'LeaseSpec.leaseDurationSeconds': 'Seconds after renewTime at which the lease expires.',
  'LeaseSpec.acquireTime': 'Time at which the holder acquired the lease.',
  'LeaseSpec.renewTime': 'Time at which the holder last renewed the lease.',
  'LeaseSpec.leaseTransitions': 'How often the lease has changed its holder.',
  'LeaseSpec.strategy':
    'How a coordinated election picks the holder. Absent means that the holders decide among themselves.',
  'LeaseSpec.preferredHolder':
    'A better candidate to whom the present holder should give the lease. Only together with strategy.',
  LeaseCandidateSpec: 'How a candidate takes part in an election.',
  'LeaseCandidateSpec.leaseName':
    'Name of the Lease for which the candidate competes, in the same namespace. Cannot be changed.',
  'LeaseCandidateSpec.pingTime':
    'Time at which the server last asked the candidates to renew. Set only by the coordinator of the election.',
  'LeaseCandidateSpec.renewTime':
    'Time at which the candidate last showed that it is alive, as an answer to pingTime.',
  'LeaseCandidateSpec.binaryVersion':
    "Version of the candidate's program as a semantic version without the letter v.",
  'LeaseCandidateSpec.emulationVersion':
    'Version that the candidate emulates, not above binaryVersion. Needed by the strategy OldestEmulationVersion.',
  'LeaseCandidateSpec.strategy':
    'How the coordinator picks the leader. Candidates of one Lease should agree. OldestEmulationVersion prefers the lowest emulation version, then the lowest program version, then the oldest candidate.',
};
