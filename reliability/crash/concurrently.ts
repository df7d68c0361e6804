/**
 * Distributes the items over lanes, which work concurrently. A killed node's successor mostly waits for a lease, so a
 * database per lane costs little.
 */
export async function concurrently<T>(
  items: readonly T[],
  lanes: number,
  work: (items: readonly T[], lane: number) => Promise<void>,
): Promise<void> {
  const dealt = Array.from({ length: lanes }, (_, lane) => items.filter((_item, index) => index % lanes === lane));
  await Promise.all(dealt.filter((lane) => lane.length > 0).map(work));
}
