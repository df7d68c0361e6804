import type { JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import { contextAfter, type EncodingContext } from "./encoding-context.ts";
import { isEmpty, joinEntry, splitEntry, type EntryFacts, type EntryValue } from "./entry-fields.ts";
import { StoredValues, type Reference } from "./stored-values.ts";
import { valueAt } from "./value-at-pointer.ts";

/**
 * Encodes entries as the text of a journal row, and decodes them. A row is a JSON list: the time of its first entry,
 * then its entries. An entry omits members that can be derived from its other members or from earlier entries
 * (`entry-fields.ts`). User data is stored beside the facts of an entry, by pointer. A value that an earlier entry
 * holds is stored once: the later entry names its place in `refs`, as `row/entry/pointer` (`stored-values.ts`). Rows
 * are decoded in order.
 *
 * ```json
 * [1795379596271,
 *  { "type": "outcome", "/result/output": { "id": "a-1" } },
 *  { "type": "intent", "afterMs": 1, "nodeId": "b", "frozen": { "action": "b", "revision": "YvsbdiRzyZ_JmHOw" },
 *    "refs": { "/frozen/args/request": "1/0/input" } }]
 * ```
 */
export interface RowCodec {
  /** Text of the row `seq`. Encoding the same row again, with other entries, replaces the earlier text. */
  encode(seq: number, entries: readonly Entry[]): string;
  /** Entries of the row `seq`. All existing rows must be decoded before another row is encoded. */
  decode(seq: number, body: string): readonly Entry[];
}

export function createRowCodec(runId: string): RowCodec {
  return new RunCodec(runId, true);
}

/** Creates a codec for readers that encode no row afterwards. */
export function createRowReader(runId: string): Pick<RowCodec, "decode"> {
  return new RunCodec(runId, false);
}

/** An entry in a row: its facts, its values by pointers, which begin with `/`, and its references. */
type StoredEntry = EntryFacts & {
  readonly [pointer: `/${string}`]: JsonValue;
  readonly refs?: { readonly [pointer: string]: string };
};

class RunCodec implements RowCodec {
  readonly #encodes: boolean;
  readonly #stored = new StoredValues();
  /** The entries that were decoded, by `row/entry`. */
  readonly #entries = new Map<string, Entry>();
  #context: EncodingContext;
  /** The row that was encoded last, with the context before it. */
  #encoded: { readonly seq: number; readonly before: EncodingContext } | undefined;

  constructor(runId: string, encodes: boolean) {
    this.#encodes = encodes;
    this.#context = { runId, atMs: 0, intent: undefined };
  }

  encode(seq: number, entries: readonly Entry[]): string {
    if (this.#encoded?.seq === seq) {
      this.#context = this.#encoded.before;
      this.#stored.forgetRow(seq);
    }
    this.#encoded = { seq, before: this.#context };
    const [first] = entries;
    if (first === undefined) return "[]";
    this.#context = { ...this.#context, atMs: first.atMs };
    const texts = entries.map((entry, index) => this.#encodeEntry(entry, `${seq}/${index}`));
    return `[${first.atMs},${texts.join(",")}]`;
  }

  decode(seq: number, body: string): readonly Entry[] {
    const [atMs = 0, ...entries] = JSON.parse(body) as readonly [number, ...StoredEntry[]] | readonly [];
    this.#context = { ...this.#context, atMs };
    return entries.map((stored, index) => this.#decodeEntry(stored, `${seq}/${index}`));
  }

  #encodeEntry(entry: Entry, place: string): string {
    const { facts, values } = splitEntry(entry, this.#context);
    this.#context = contextAfter(entry, this.#context);
    const encoded = values.map(([pointer, value]) => this.#stored.encode(pointer, value));
    const refs: Record<string, string> = {};
    let text = JSON.stringify(facts).slice(0, -1);
    for (const { pointer, text: own, refs: places } of encoded) {
      if (own !== undefined) text += `,"${pointer}":${own}`;
      for (const [at, place] of places) refs[at] = place;
    }
    if (!isEmpty(refs)) text += `,"refs":${JSON.stringify(refs)}`;
    // No entry follows an end.
    if (entry.type !== "ended") for (const one of encoded) this.#stored.add(place, one);
    return `${text}}`;
  }

  #decodeEntry({ refs = {}, ...members }: StoredEntry, place: string): Entry {
    const facts: Record<string, unknown> = {};
    const values: EntryValue[] = [];
    for (const [name, member] of Object.entries(members)) {
      if (name.startsWith("/")) values.push([name, member as JsonValue]);
      else facts[name] = member;
    }
    for (const [pointer, at] of Object.entries(refs)) values.push([pointer, this.#valueAt(at)]);
    const entry = joinEntry(facts, values, this.#context);
    if (this.#encodes) this.#addDecoded(entry, place, Object.entries(refs));
    this.#entries.set(place, entry);
    this.#context = contextAfter(entry, this.#context);
    return entry;
  }

  #addDecoded(entry: Entry, place: string, refs: readonly Reference[]): void {
    for (const [pointer, value] of splitEntry(entry, this.#context).values) {
      const own = refs.filter(([at]) => at === pointer || at.startsWith(`${pointer}/`));
      const text = own.length > 0 ? undefined : JSON.stringify(value);
      this.#stored.add(place, { pointer, value, text, refs: own });
    }
  }

  #valueAt(place: string): JsonValue {
    const [seq, index] = place.split("/", 2);
    const entry = this.#entries.get(`${seq}/${index}`);
    const value = entry === undefined ? undefined : valueAt(entry, place.slice(`${seq}/${index}`.length));
    if (value === undefined) throw new Error(`A journal row refers to "${place}", which no earlier entry holds.`);
    return value;
  }
}
