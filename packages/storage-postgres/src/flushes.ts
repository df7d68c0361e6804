import { timedOut } from "./postgres-error.ts";

/** Group commit: what arrives while flushes are under way goes into the next one. */
export interface Flushes<Item, Result> {
  /** Answers each item in its place. Rejects when a flush failed, or the time is up: then nothing is known of the items. */
  add(items: readonly Item[]): Promise<readonly Result[]>;
}

export interface FlushesOptions<Item, Result> {
  /** Makes the items durable together, of which no two have a name in common; answers each in its place. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** What an item is about; items that share a name go one after the other, in the order of arrival. */
  readonly namesOf: (item: Item) => readonly string[];
  /** In characters, about. */
  readonly sizeOf: (item: Item) => number;
  /** Items of one kind go together. @defaultValue all are of one kind */
  readonly kindOf?: (item: Item) => string;
  /** How many flushes may be under way. */
  readonly atOnce: number;
  /** How long items may take, with the flushes that they wait for. */
  readonly timeoutMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly names: readonly string[];
  readonly kind: string;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A larger flush would delay the first of its items for the sake of the last. */
const maxItems = 512;
const maxSize = 8 * 1024 * 1024;

export function createFlushes<Item, Result>(options: FlushesOptions<Item, Result>): Flushes<Item, Result> {
  const { flush, namesOf, sizeOf, kindOf = () => "", atOnce, timeoutMs } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let scheduled = false;
  /** Names of the items that are under way. */
  const busy = new Set<string>();

  /** Takes what may go together with the first item that may go now; the rest stays, in its order. */
  function take(): readonly Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    const behind = new Set<string>();
    let kind: string | undefined;
    let size = 0;
    for (const entry of waiting) {
      const { names } = entry;
      const full = batch.length >= maxItems || (batch.length > 0 && size + entry.size > maxSize);
      const fits = !full && (kind === undefined || kind === entry.kind);
      if (!fits || names.some((name) => busy.has(name) || behind.has(name))) {
        rest.push(entry);
        for (const name of names) behind.add(name);
        continue;
      }
      batch.push(entry);
      kind ??= entry.kind;
      size += entry.size;
      for (const name of names) busy.add(name);
    }
    waiting = rest;
    return batch;
  }

  function start(): void {
    scheduled = false;
    while (underWay < atOnce && waiting.length > 0) {
      const batch = take();
      if (batch.length === 0) return;
      underWay++;
      void run(batch).then(() => {
        underWay--;
        for (const { names } of batch) for (const name of names) busy.delete(name);
        start();
      });
    }
  }

  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("The flush did not answer each of its items.");
      results.forEach((result, index) => batch[index]?.resolve(result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Items that are under way when the time is up stay so, and hold back what shares a name with them. */
  function inTime<T>(added: ReadonlySet<Waiting<Item, Result>>, answers: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((entry) => !added.has(entry));
        reject(timedOut(timeoutMs));
      }, timeoutMs);
      answers.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  return {
    add(items) {
      const added = new Set<Waiting<Item, Result>>();
      const answers = items.map(
        (item) =>
          new Promise<Result>((resolve, reject) => {
            added.add({ item, names: namesOf(item), kind: kindOf(item), size: sizeOf(item), resolve, reject });
          }),
      );
      waiting.push(...added);
      if (!scheduled) {
        scheduled = true;
        // What others ask for in the same turn goes along.
        queueMicrotask(start);
      }
      return inTime(added, Promise.all(answers));
    },
  };
}
