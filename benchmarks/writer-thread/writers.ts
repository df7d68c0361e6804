import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inThreadWriter, type JournalWriter, openJournal } from "../ideal-journal.ts";
import { idealSession } from "../ideal-session.ts";
import { requestIn } from "../ideal-sqlite.ts";
import type { System } from "../system.ts";
import { portWriter } from "./port-writer.ts";
import { ringWriter } from "./ring-writer.ts";

/** The possible places of the SQLite writer: the event loop's thread, or a worker thread behind a port or a ring. */
export const WRITERS = ["in-thread", "port", "ring"] as const;
export type Writer = (typeof WRITERS)[number];

/** The ideal loop with its writer in that place. */
export function idealWith(writer: Writer): System {
  return {
    name: `ideal-${writer}`,
    async open({ directory, tools }) {
      const file = path.join(directory, "ideal.sqlite");
      openJournal(file).close();
      const reader = new DatabaseSync(file, { readOnly: true });
      const opened = await openWriter(writer, file);
      const close = async (): Promise<void> => {
        reader.close();
        await opened.close();
      };
      return idealSession({
        database: { kind: "sqlite", file },
        tools,
        request: requestIn(reader),
        writer: { append: (row) => opened.append(row), close },
      });
    },
  };
}

async function openWriter(writer: Writer, file: string): Promise<JournalWriter> {
  switch (writer) {
    case "in-thread":
      return inThreadWriter(openJournal(file));
    case "port":
      return portWriter(file);
    case "ring":
      return ringWriter(file);
  }
}
