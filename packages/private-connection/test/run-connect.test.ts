import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { runConnect } from "../src/command/run-connect.ts";
import { modulePath } from "./connect-process.ts";

const served = modulePath("served-functions.ts");
const ended = (code: number): never => {
  throw new Error(`The command ended the process with ${code}.`);
};

afterEach(() => void vi.unstubAllEnvs());

/** The output and exit code of the command in this process, up to the point of serving. */
async function run(argv: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const own = { PROCEDO_CONNECTION_TOKEN: undefined, PROCEDO_SDK_URL: undefined, ...variables };
  for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const code = await runConnect({ argv, write, writeError: write, onSignal: () => undefined, exit: ended });
  return { code, output: lines.join("\n") };
}

describe("procedo-connect does not start, prints the reason, and ends with 2", () => {
  test.each([
    ["without a module", [], {}, "Name the module that exports the functions."],
    ["with two", ["a.ts", "b.ts"], {}, 'Remove "b.ts"'],
    ["with an unknown option", ["a.ts", "--token", "run_live_x"], {}, "Unknown option '--token'"],
    [
      "with a missing module",
      ["./nowhere.ts"],
      {},
      "nowhere.ts does not exist. Name the module that exports the functions.",
    ],
    [
      "with a module without a function from defineFunction",
      [modulePath("test-runtime.ts")],
      {},
      "exports no function. Create functions with defineFunction",
    ],
    ["without a token", [served, "--url", "http://127.0.0.1:1"], {}, "set PROCEDO_CONNECTION_TOKEN"],
    [
      "with an API key",
      [served, "--url", "http://127.0.0.1:1"],
      { PROCEDO_CONNECTION_TOKEN: "rsk_live_abc" },
      "This one is an API key.",
    ],
    ["without an address", [served], { PROCEDO_CONNECTION_TOKEN: "run_live_abc" }, "set PROCEDO_SDK_URL"],
    [
      "over plain HTTP",
      [served, "--url", "http://sdk.example.com"],
      { PROCEDO_CONNECTION_TOKEN: "run_live_abc" },
      "Use https://",
    ],
    [
      "with an invalid concurrency",
      [served, "--url", "http://127.0.0.1:1", "--concurrency", "many"],
      { PROCEDO_CONNECTION_TOKEN: "run_live_abc" },
      "concurrency is NaN",
    ],
    ["with an invalid drain", [served, "--drain", "soon"], {}, '--drain is "soon"'],
    ["with a missing file of authorities", [served, "--ca", "./nowhere.pem"], {}, "nowhere.pem"],
  ] as const)("%s", async (_name, argv, variables, message) => {
    const { code, output } = await run(argv, variables);
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output).not.toContain("rsk_live_abc");
  });
});

describe("procedo-connect --list", () => {
  test("prints the functions of a default export and of others, each once, without a token", async () => {
    const { code, output } = await run([join(import.meta.dirname, "list-of-functions.ts"), "--list"]);
    expect(code).toBe(0);
    expect(output.match(/^ {2}\w+/gm)?.toSorted()).toEqual(["  forgetful", "  slow"]);
  });

  test("reports the reasons why they cannot be served", async () => {
    const { code, output } = await run([modulePath("same-names.ts"), "--list"]);
    expect(code).toBe(2);
    expect(output).toContain('Two functions are named "same"');
  });
});

test("procedo-connect --help and --version end with 0", async () => {
  expect(await run(["--help"])).toEqual({
    code: 0,
    output: expect.stringContaining("Usage: procedo-connect <module>"),
  });
  expect(await run(["--version"])).toEqual({
    code: 0,
    output: expect.stringMatching(/^procedo-private-connection\/\d+\.\d+\.\d+ /),
  });
});
