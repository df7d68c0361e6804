import { readFileSync } from "node:fs";
import type { Entry } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { createRowCodec } from "./row-codec.ts";

/** Journals as they were written before rows had their time in front, and what the reader of that time made of them. */
interface FormerJournal {
  readonly name: string;
  readonly runId: string;
  readonly rows: readonly { readonly body: string; readonly entries: string }[];
}

const journals = JSON.parse(
  readFileSync(new URL("first-form.fixture.json", import.meta.url), "utf8"),
) as readonly FormerJournal[];

describe.each(journals)("a journal of the first form: $name", ({ runId, rows }) => {
  const entries = rows.map((row) => JSON.parse(row.entries) as readonly Entry[]);

  test("is read as it was", () => {
    const reader = createRowCodec(runId);
    const read = rows.map(({ body }, index) => reader.decode(index + 1, body));
    expect(JSON.parse(JSON.stringify(read))).toEqual(entries);
  });

  test.each(rows.map((_, index) => index))("goes on in today's after %i rows", (former) => {
    const writer = createRowCodec(runId);
    const bodies = rows.slice(0, former).map(({ body }) => body);
    bodies.forEach((body, index) => writer.decode(index + 1, body));
    for (let index = former; index < rows.length; index++) bodies.push(writer.encode(index + 1, entries[index] ?? []));
    const reader = createRowCodec(runId);
    expect(bodies.map((body, index) => reader.decode(index + 1, body))).toEqual(entries);
  });
});
