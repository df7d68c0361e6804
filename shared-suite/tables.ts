/**
 * The results of importing each document, as two tables in Markdown: `pnpm exec node --conditions=@procedo/source
 * shared-suite/tables.ts`. Each import runs in a separate process, so that its memory can be measured.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { importFile, pathOf } from "./shared-documents.ts";

interface Measured {
  readonly actions: number;
  /** `undefined`: the document was accepted. */
  readonly firstError: string | undefined;
  readonly errors: number;
  readonly warnings: number;
  readonly seconds: string;
  /** The maximum growth of the process. */
  readonly extraMb: number;
}

function measure(path: string): Measured {
  const before = process.resourceUsage().maxRSS;
  const startedAt = performance.now();
  const { api, problems } = importFile(path);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  return {
    actions: api?.operations.length ?? 0,
    firstError: first && `${first.line === undefined ? "" : `line ${first.line}: `}${first.message}`,
    errors: errors.length,
    warnings: problems.length - errors.length,
    seconds,
    extraMb: Math.round((process.resourceUsage().maxRSS - before) / 1024),
  };
}

function measuredApart(path: string): Measured {
  const argv = ["--conditions=@procedo/source", import.meta.filename, path];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8" })) as Measured;
}

const cell = (text: string | number): string => String(text).replaceAll("|", "\\|").replaceAll("\n", " ").slice(0, 140);
const row = (cells: readonly (string | number)[]): string => `| ${cells.map(cell).join(" | ")} |`;
const table = (heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(heading), row(heading.map(() => "---")), ...rows.map(row)].join("\n");

/** The rows of a table in a page, by the beginning of the first cell. */
function rowsOf(page: string): readonly (readonly string[])[] {
  const lines = readFileSync(page, "utf8").split("\n");
  return lines.filter((line) => line.startsWith("| ")).map((line) => line.slice(2).split(" | "));
}

function realTable(): string {
  const known = rowsOf(pathOf("real", "SOURCES.md"));
  const rows = readdirSync(pathOf("real", "."))
    .filter((file) => !file.endsWith(".md"))
    .map((file) => {
      const operations = known.find(([name]) => name?.startsWith(file))?.[6] ?? "";
      const { actions, errors, warnings, firstError, seconds, extraMb } = measuredApart(pathOf("real", file));
      return [file, operations, actions, errors, warnings, seconds, extraMb, firstError ?? ""];
    });
  return table(["document", "operations", "actions", "errors", "warnings", "s", "MB", "first error"], rows);
}

function hostileTable(generated: string): string {
  const expected = rowsOf(pathOf("invalid", "EXPECT.md"));
  const paths = [pathOf("invalid", "."), generated].flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  );
  const rows = paths
    .filter((path) => !/\.(md|mjs)$/.test(path))
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map((path) => {
      const file = basename(path);
      const wanted = expected.find(([name = ""]) => file.startsWith(name.replace(" (generated)", "")))?.[1] ?? "";
      const { actions, errors, warnings, firstError, seconds, extraMb } = measuredApart(path);
      const got = actions === 0 ? "REJECT" : `${actions} actions, ${errors} errors, ${warnings} warnings`;
      return [file, wanted, got, seconds, extraMb, firstError ?? ""];
    });
  return table(["document", "expected", "got", "s", "MB", "first error"], rows);
}

const [path] = process.argv.slice(2);
if (path !== undefined) {
  console.log(JSON.stringify(measure(path)));
} else {
  const generated = mkdtempSync(join(tmpdir(), "procedo-generated-"));
  try {
    execFileSync(process.execPath, [join(dirname(pathOf("invalid", "EXPECT.md")), "generate-big.mjs"), generated]);
    console.log(`${realTable()}\n\n${hostileTable(generated)}`);
  } finally {
    rmSync(generated, { recursive: true, force: true });
  }
}
