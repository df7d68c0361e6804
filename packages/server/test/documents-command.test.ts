import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { problemsSchema } from "@procedo/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { payment } from "./bank.ts";
import { fileWith, inherited, makePlace, procedo, type Place } from "./server-process.ts";

function newPlace(): Place {
  const place = makePlace();
  onTestFinished(() => place.remove());
  return place;
}

/** A handwritten document with mistakes of every kind. */
const faulty = `{
  "schemaVersion": 1,
  "procedureId": "pay",
  "name": "Pay",
  "input": { "type": "object", "required": ["sum"], "properties": { "sum": { "type": "integer" } } },
  // Start and end.
  "nodes": [
    { "id": "start", "kind": "start" },
    { "id": "size", "kind": "condition", "branches": [{ "name": "large", "when": "input.smu > 10" }], "otherwise": "small" },
    { "id": "pay", "kind": "tool_call", "conection": "bank", "action": "pay", "arguments": {} },
    { "id": "done", "kind": "end", "output": { "sum": "{{ input.sum }} of {{ args.sum }}" } },
  ],
  "edges": [
    { "from": "start", "to": "size" },
    { "from": "size", "branch": "lagre", "to": "pay" },
    { "from": "size", "branch": "small", "to": "done" },
    { "from": "pay", "to": "done" }
  ]
}
`;

describe("procedures validate", () => {
  test("reports errors of syntax, structure, names and expressions in one round, by line and column, with the line", async () => {
    const place = newPlace();
    const file = fileWith(place, "pay.json", faulty);
    const { code, out } = await procedo(place, "procedures", "validate", file);
    expect(code).toBe(1);
    const reported = out.split("\n").filter((line) => line.startsWith(file));
    expect(reported.map((line) => line.slice(file.length + 1).replace(/;.*/, ""))).toEqual([
      "6:3: error: JSON has no comments",
      expect.stringMatching(/^9:83: error: input has no field "smu"$/),
      '10:41: error: "conection" is not a known field here',
      '11:78: error: args exists in guards and sumLimits only. (node "done")',
      '11:94: error: There is a comma before "]"',
      '15:23: error: Node "size" has no branch "lagre"',
    ]);
    expect(out).toContain(`did you mean "sum"?`);
    expect(out).toContain(`did you mean "connection"?`);
    expect(out).toMatch(/\n {4}6 \| {3}\/\/ Start and end\.\n {6}\| {3}\^\n/);
  });

  test("reports the same as JSON", async () => {
    const place = newPlace();
    const file = fileWith(place, "pay.json", faulty);
    const { out } = await procedo(place, "procedures", "validate", file, "--json");
    const { problems } = problemsSchema.parse(JSON.parse(out));
    expect(problems).toContainEqual(
      expect.objectContaining({ nodeId: "size", path: "/nodes/1/branches/0/when", line: 9, column: 83, offset: 0 }),
    );
  });

  test("- reads standard input", async () => {
    const place = newPlace();
    const sound = await procedo({ ...place, stdin: JSON.stringify(payment) }, "procedures", "validate", "-");
    expect(sound).toMatchObject({ code: 0, out: "No problems.\n" });
    const { code, out } = await procedo({ ...place, stdin: '{\n "a": 1,\n}' }, "procedures", "validate", "-");
    expect(code).toBe(1);
    expect(out).toContain('<stdin>:2:8: error: There is a comma before "}"; remove it.');
  });

  test("a long line is shown around the column, and nothing in it moves the cursor", async () => {
    const place = newPlace();
    const file = fileWith(place, "long.json", `{"a":"${"x".repeat(500)}\u001b[2J",}`);
    const { out } = await procedo(place, "procedures", "validate", file);
    expect(out).not.toContain("\u001b");
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThan(250);
  });
});

/** The command in a separate process with unread output. */
async function withClosedPipe(place: Place, closed: "stdout" | "stderr", ...argv: readonly string[]) {
  const script = fileURLToPath(new URL("./bank-command.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@procedo/source", script, ...argv], {
    cwd: place.folder,
    env: { ...inherited, ...place.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child[closed].destroy();
  let other = "";
  child[closed === "stdout" ? "stderr" : "stdout"].on("data", (chunk) => (other += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, other };
}

describe("a pipe that its reader has closed", () => {
  test("changes neither the exit code nor the error output", async () => {
    const place = newPlace();
    const sound = fileWith(place, "sound.json", payment);
    const broken = fileWith(place, "broken.json", faulty);
    expect(await withClosedPipe(place, "stdout", "procedures", "validate", sound)).toEqual({ code: 0, other: "" });
    expect(await withClosedPipe(place, "stdout", "procedures", "validate", broken)).toEqual({ code: 1, other: "" });
    expect(await withClosedPipe(place, "stderr", "procedures", "validate", "nowhere.json")).toEqual({
      code: 1,
      other: "",
    });
  });
});
