/** The share of completed runs, such as `99.9 %`. It is rounded down: 100 % says that no run failed. */
export function successShare(completed: number, failed: number): string {
  const all = completed + failed;
  return all === 0 ? "–" : `${Math.floor((1_000 * completed) / all) / 10} %`;
}
