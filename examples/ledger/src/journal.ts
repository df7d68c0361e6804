import { join } from "node:path";
import { createEventDeliveries } from "./event-deliveries.ts";
import type { EventDeliveries } from "./event-deliveries.ts";
import { eventOf } from "./event-of.ts";
import { openLogFile } from "./log-file.ts";
import { createRequestRecords } from "./request-record.ts";
import type { LogLine, RequestRecords } from "./request-record.ts";
import { createStore } from "./store.ts";
import type { LedgerSeed, Store } from "./store.ts";

/** The log and the books derived from it. Each line is written to the file before it is applied to the books. */
export interface Journal {
  readonly store: Store;
  readonly records: RequestRecords;
  readonly deliveries: EventDeliveries;
  /**
   * Appends the line, then applies it to the books. The line survives the process at once, the machine
   * after {@link Journal.durable}.
   */
  write(line: LogLine): void;
  durable(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens `requests.jsonl` in `dataDir`, rebuilds the books, and marks requests left pending by the last process as
 * interrupted.
 */
export function openJournal(options: {
  readonly dataDir: string;
  readonly seed: LedgerSeed;
  readonly now: Date;
  /** @defaultValue fdatasync */
  readonly flush?: (fd: number) => Promise<void>;
}): Journal {
  const store = createStore(options.seed);
  const records = createRequestRecords();
  const path = join(options.dataDir, "requests.jsonl");
  const { file, lines } = openLogFile(path, options.flush);

  const deliveries = createEventDeliveries(() => store.events());
  let events = 0;

  const apply = (line: LogLine): void => {
    records.apply(line);
    if (line.type === "settled" && line.executed) store.book(line.payment);
    if (line.type === "invoice_received") store.receive(line.invoice);
    if (line.type === "reset") store.clear();
    deliveries.apply(line);
    const event = eventOf(line, events);
    if (event === undefined) return;
    events += 1;
    store.record(event);
    deliveries.add(event);
  };
  const write = (line: LogLine): void => {
    file.append(JSON.stringify(line));
    apply(line);
  };

  for (const [index, text] of lines.entries()) {
    try {
      apply(JSON.parse(text) as LogLine);
    } catch (cause) {
      throw new Error(
        `Line ${index + 1} of ${path} cannot be read: the record is damaged. Start with another data folder.`,
        { cause },
      );
    }
  }
  write({ type: "opened", at: options.now.toISOString() });
  return { store, records, deliveries, write, durable: () => file.durable(), close: () => file.close() };
}
