import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { tierVariable, type Tier } from "@procedo-testing/tiers/tier";

/** Test files of one of vitest's projects. */
export interface SuiteFiles {
  readonly project: "unit" | "integration";
  /** Below the repository's root. */
  readonly files: readonly string[];
}

export interface SuiteOutcome {
  readonly files: number;
  readonly tests: number;
  /** The numbers of cases that the tests reported. */
  readonly cases: number;
  readonly failures: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
      readonly meta: { readonly cases?: number };
    }[];
  }[];
}

const root = join(import.meta.dirname, "../..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const mostCharacters = 600;

/** Runs test files with the numbers of a tier, without a time limit, and reads their reports. */
export async function runSuite({ project, files }: SuiteFiles, tier: Tier): Promise<SuiteOutcome> {
  const flags = [`--project=${project}`, "--testTimeout=0"];
  return outcomeOf(files, await reportOf([...files, ...flags], { [tierVariable]: tier }));
}

/** Tests of one file whose full names contain a text. */
export interface NamedTests {
  readonly project: SuiteFiles["project"];
  /** Below the repository's root. */
  readonly file: string;
  readonly test: string;
  /** Path of vitest's configuration, below the repository's root. */
  readonly config: string;
  /** @defaultValue none */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs tests by their name, and counts them. Tests of a file that does not load are none. */
export async function runNamedTests(tests: NamedTests): Promise<{ readonly passed: number; readonly failed: number }> {
  const { project, file, test, config, env = {} } = tests;
  const pattern = test.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const report = await reportOf([file, `--project=${project}`, `--config=${config}`, "-t", pattern], env);
  const statuses = report.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
  return { passed: count("passed"), failed: count("failed") };
}

async function reportOf(arguments_: readonly string[], env: Readonly<Record<string, string>>): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "procedo-suite-"));
  try {
    const path = join(folder, "report.json");
    const flags = ["--reporter=json", `--outputFile.json=${path}`];
    const output = await runToEnd([vitest, "run", ...arguments_, ...flags], { ...process.env, ...env });
    return readReport(path, output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path: string, output: string): Report {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch (error) {
    throw new Error(`The tests left no report: ${output.slice(-mostCharacters)}`, { cause: error });
  }
}

/** Files and tests that did not run count as failed. */
export function outcomeOf(files: readonly string[], { testResults }: Report): SuiteOutcome {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const absent = files.filter((file) => !testResults.some(({ name }) => name.endsWith(`/${file}`)));
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      assertionResults.length === 0 ||
      (status === "failed" && assertionResults.every((test) => test.status === "passed")),
  );
  return {
    files: testResults.length,
    tests: tests.length,
    cases: tests.reduce((sum, { meta }) => sum + (meta.cases ?? 1), 0),
    failures: [
      ...absent.map((file) => `${file} was not run`),
      ...broken.map(({ name, message }) => `${relative(root, name)}: ${message.slice(0, mostCharacters)}`),
      ...tests
        .filter(({ status }) => status !== "passed")
        .map(({ fullName, status, failureMessages }) =>
          `${fullName} (${status}): ${failureMessages.join(" ")}`.slice(0, mostCharacters),
        ),
    ],
  };
}

/** Its exit code is ignored, because the report contains all failures. */
function runToEnd(arguments_: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, arguments_, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", reject).on("close", () => resolve(output));
  });
}
