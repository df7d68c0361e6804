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
  readonly timeLimit: TimeLimit;
}

export interface TimeLimit {
  readonly ms: number;
  /** Why something has taken longer. */
  exceeded(): Error;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly names: readonly string[];
  readonly kind: string;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Items that are flushed together. */
interface Batch<Item, Result> {
  readonly items: readonly Waiting<Item, Result>[];
  /** A set for each batch: one for all batches would grow old, and V8 makes each next table of an old set old, too. */
  readonly names: ReadonlySet<string>;
}

/** A larger flush would delay the first of its items for the sake of the last. */
const maxItems = 512;
const maxSize = 8 * 1024 * 1024;

export function createFlushes<Item, Result>(options: FlushesOptions<Item, Result>): Flushes<Item, Result> {
  const { flush, namesOf, sizeOf, kindOf = () => "", atOnce, timeLimit } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let underWay: readonly Batch<Item, Result>[] = [];
  let scheduled = false;

  /** Takes what may go together with the first item that may go now; the rest stays, in its order. */
  function take(): Batch<Item, Result> {
    const items: Waiting<Item, Result>[] = [];
    const names = new Set<string>();
    const rest: Waiting<Item, Result>[] = [];
    const behind = new Set<string>();
    const held = [names, behind, ...underWay.map((batch) => batch.names)];
    let kind: string | undefined;
    let size = 0;
    for (const entry of waiting) {
      const full = items.length >= maxItems || (items.length > 0 && size + entry.size > maxSize);
      const fits = !full && (kind === undefined || kind === entry.kind);
      if (!fits || entry.names.some((name) => held.some((each) => each.has(name)))) {
        rest.push(entry);
        for (const name of entry.names) behind.add(name);
        continue;
      }
      items.push(entry);
      kind ??= entry.kind;
      size += entry.size;
      for (const name of entry.names) names.add(name);
    }
    waiting = rest;
    return { items, names };
  }

  function start(): void {
    scheduled = false;
    while (underWay.length < atOnce && waiting.length > 0) {
      const batch = take();
      if (batch.items.length === 0) return;
      underWay = [...underWay, batch];
      void run(batch).then(() => {
        underWay = underWay.filter((each) => each !== batch);
        start();
      });
    }
  }

  async function run({ items }: Batch<Item, Result>): Promise<void> {
    try {
      const results = await flush(items.map(({ item }) => item));
      if (results.length !== items.length) throw new Error("The flush did not answer each of its items.");
      results.forEach((result, index) => items[index]?.resolve(result));
    } catch (error) {
      for (const { reject } of items) reject(error);
    }
  }

  /** Items that are under way when the time is up stay so, and hold back what shares a name with them. */
  function inTime<T>(added: ReadonlySet<Waiting<Item, Result>>, answers: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((entry) => !added.has(entry));
        reject(timeLimit.exceeded());
      }, timeLimit.ms);
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
