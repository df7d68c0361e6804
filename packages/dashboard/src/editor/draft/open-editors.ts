/* The editors that are open in this browser, whose copies are their own. */

const prefix = "procedo.draft/";
/** Time in which an open editor answers. Only the first view of an editor waits for it. */
const answerWithinMs = 300;

type Message = { readonly kind: "asked" } | { readonly kind: "open"; readonly id: string };

/**
 * Marks an editor as open, until the returned function is called. Its end, also by a crash of the tab, frees its copy for
 * the next one.
 */
export function holdCopy(id: string): () => void {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  if (hasLocks()) void navigator.locks.request(prefix + id, () => promise);
  else answerUntil(promise, id);
  return release;
}

export async function openEditors(): Promise<ReadonlySet<string>> {
  if (!hasLocks()) return await askedEditors();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) === true ? [name.slice(prefix.length)] : [])));
}

/** Pages over plain HTTP have no locks. Their editors answer each other. */
function hasLocks(): boolean {
  return (navigator.locks as LockManager | undefined) !== undefined;
}

function answerUntil(end: Promise<void>, id: string): void {
  const channel = new BroadcastChannel(prefix);
  const answer: Message = { kind: "open", id };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "asked") channel.postMessage(answer);
  });
  void end.then(() => channel.close());
}

async function askedEditors(): Promise<ReadonlySet<string>> {
  const channel = new BroadcastChannel(prefix);
  const found = new Set<string>();
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "open") found.add(data.id);
  });
  const question: Message = { kind: "asked" };
  channel.postMessage(question);
  await new Promise((resolve) => setTimeout(resolve, answerWithinMs));
  channel.close();
  return found;
}
