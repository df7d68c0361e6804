/** Nodes do not announce the steps of runs at other nodes. */
const readAgainMs = 2_000;

/** When to read again what a page shows of a run: each 2 s while it is at work. Hidden pages do not read. */
export function whileRunning({
  state,
}: {
  readonly state: { readonly data: { readonly status: string } | undefined };
}): number | false {
  return state.data?.status === "running" && readAgainMs;
}
