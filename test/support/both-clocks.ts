/** One manual clock as that of the process and that of the cluster: in the test, their times pass together. */
export const bothClocks = <Clock>(clock: Clock): { readonly clock: Clock; readonly clusterClock: Clock } => ({
  clock,
  clusterClock: clock,
});
