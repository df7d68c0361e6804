/** Tables and machine facts as text: for the terminal, and for a document. */
import { readFile, writeFile } from "node:fs/promises";
import type { Machine } from "./machine.ts";
import type { Rows } from "./table.ts";

export function renderMachine(machine: Machine): string {
  const { cores, processor, node, sqlite, postgres, loadAverage, fsyncMs } = machine;
  const parts = [`load ${loadAverage.toFixed(1)}`, `Node ${node}`, `SQLite ${sqlite}`];
  if (postgres !== undefined) parts.push(`Postgres ${postgres.version} (fsync ${postgres.fsyncMs.toFixed(2)} ms)`);
  return `${cores} cores (${processor}), ${parts.join(", ")}, fsync ${fsyncMs.toFixed(2)} ms`;
}

/** Pads each column to its widest cell: text is aligned left, figures are aligned right. */
export function renderText(tables: readonly Rows[]): string {
  return tables.map(align).join("\n\n");
}

function align(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

export function renderMarkdown(tables: readonly Rows[]): string {
  return tables
    .map(([headings = [], ...rows]) => {
      const rule = headings.map((_, column) => (column < 2 ? "---" : "---:"));
      return [headings, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    })
    .join("\n\n");
}

/**
 * Replaces the text of a document between `<!-- NAME -->` and `<!-- /NAME -->`.
 *
 * @throws Error if the document has no such marks
 */
export function fillPlace(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The document has no place "${begin} … ${end}".`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}

/** Replaces the marked text of a file. */
export async function fillFile(file: string, name: string, text: string): Promise<void> {
  await writeFile(file, fillPlace(await readFile(file, "utf8"), name, text));
}
