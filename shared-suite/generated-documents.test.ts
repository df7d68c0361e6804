import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importFile, pathOf } from "./shared-documents.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "procedo-generated-"));
  execFileSync(process.execPath, [pathOf("invalid", "generate-big.mjs"), folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const imported = (file: string) => importFile(join(folder, file));

describe("documents that are too big to be stored", () => {
  test("39-20mb-string.json: the error names the limit", () => {
    const { api, problems } = imported("39-20mb-string.json");
    expect(api).toBeUndefined();
    expect(problems).toMatchObject([{ severity: "error", message: expect.stringContaining("20 MiB") as string }]);
  });

  test("40-20000-operations.json: every operation is an action", () => {
    const { api } = imported("40-20000-operations.json");
    expect(api?.operations).toHaveLength(20_000);
    expect(new Set(api?.operations.map(({ name }) => name)).size).toBe(20_000);
  });

  test("41-exponential-refs.json: references stay references", () => {
    const [operation] = imported("41-exponential-refs.json").api?.operations ?? [];
    expect(operation?.input["required"]).toEqual(["a"]);
    expect(JSON.stringify(operation?.input).length).toBeLessThan(100_000);
  });

  test("42-ref-chain-5000.json: a chain of references is followed to its end", () => {
    const [operation] = imported("42-ref-chain-5000.json").api?.operations ?? [];
    expect(operation?.input["required"]).toEqual(["end"]);
  });
});
