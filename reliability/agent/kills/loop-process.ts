/** A process with engines on SQLite files, which will be killed. Its setup is the JSON of its first argument. */
import process from "node:process";
import { openCell, type Cell } from "./loop-cell.ts";
import type { CellMessage, MoreWork, ProcessSetup } from "./process-protocol.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as ProcessSetup;
const tell = (message: CellMessage): void => void process.send?.(message);
const cells = new Map<number, Cell>();

process.on("message", (message) => {
  const { cell: number, starts, point } = message as MoreWork;
  const cell = cells.get(number);
  if (point !== undefined) cell?.arm(point);
  cell?.work(starts);
});
// Without its parent, the process ends.
process.on("disconnect", () => process.exit());

await Promise.all(
  setup.cells.map(async (one) => {
    try {
      const cell = await openCell(one, tell);
      cells.set(one.cell, cell);
      cell.work(one.starts);
    } catch (error) {
      tell({ type: "failed", cell: one.cell, message: error instanceof Error ? (error.stack ?? "") : String(error) });
    }
  }),
);
