/**
 * W6: importing an OpenAPI document, beside `@readme/openapi-parser` (validate, then dereference), in turn, each in a
 * fresh process. `node --conditions=@procedo/source benchmarks/openapi-import/run.ts [FILE…]`: the generated document
 * of 1 MB and 1,500 operations, and the given files; three rounds, about ten seconds per document.
 */
import { statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { median } from "../closed-loop.ts";
import { inFreshProcess, withFreshFolder } from "../fresh-process.ts";
import { renderText } from "../render.ts";
import { generateDocument } from "./generate-document.ts";
import type { ImportMeasurement, ImportSample } from "./import-child.ts";

const ROUNDS = 3;
const FLOOR = { ratio: 0.33, extraMb: 60 };
const GOAL = { ratio: 0.15, extraMb: 30 };

await withFreshFolder(async (folder) => {
  const generated = path.join(folder, "generated.json");
  await writeFile(generated, generateDocument());
  const rows = [["document", "KB", "operations", "ms", "peer ms", "ratio", "CPU ratio", "extra MB", "peer MB"]];
  for (const file of [generated, ...process.argv.slice(2)]) rows.push(await measured(file));
  const held = `ratio at most ${FLOOR.ratio}, ${FLOOR.extraMb} MB (goal ${GOAL.ratio}, ${GOAL.extraMb} MB)`;
  process.stdout.write(`${renderText([rows])}\n\nW6 is held to: ${held}.\n`);
});

async function measured(file: string): Promise<string[]> {
  const own: ImportSample[] = [];
  const peer: ImportSample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await sample({ subject: "procedo", file }));
    peer.push(await sample({ subject: "readme", file }));
  }
  const of = (samples: readonly ImportSample[], figure: "ms" | "extraMb") =>
    median(samples.map((each) => each[figure]));
  const ratioOf = (figure: "ms" | "cpuMs") =>
    median(own.map((each, round) => each[figure] / (peer[round]?.[figure] ?? NaN)));
  const ratio = ratioOf("ms");
  if (ratio > FLOOR.ratio || of(own, "extraMb") > FLOOR.extraMb) process.exitCode = 1;
  return [
    path.basename(file),
    String(Math.round(statSync(file).size / 1000)),
    String(own[0]?.operations ?? ""),
    of(own, "ms").toFixed(0),
    of(peer, "ms").toFixed(0),
    ratio.toFixed(2),
    ratioOf("cpuMs").toFixed(2),
    of(own, "extraMb").toFixed(0),
    of(peer, "extraMb").toFixed(0),
  ];
}

async function sample(asked: ImportMeasurement): Promise<ImportSample> {
  return JSON.parse(
    await inFreshProcess("openapi-import/import-child.ts", asked, { flags: ["--expose-gc"] }),
  ) as ImportSample;
}
