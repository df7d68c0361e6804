import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { embeddedCode, expectedCode } from "../scripts/embedded-code.ts";
import { entryPoints, libraryPackages, root } from "../scripts/workspace.ts";
import { compilerOptions, createProgram } from "./program.ts";

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "docs/**/*.md",
  "packages/*/README.md",
  "examples/*/README.md",
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .sort();

/**
 * An example is compiled as a file in its own package's folder, or in the engine's for a document of the whole
 * repository.
 */
const homeOf = (path: string): string => /^(packages|examples)\/[^/]+/.exec(path)?.[0] ?? "packages/engine";
const sources = globSync("packages/*/src/**/*.ts", { cwd: root, exclude: (path) => path.endsWith(".test.ts") }).sort();

/** The docstrings of a source as Markdown. */
const docstringsOf = (source: string): string =>
  [...source.matchAll(/^ *\/\*\*\n(?: *\*.*\n)+? *\*\/$/gm)]
    .map(([text]) => text.replaceAll(/^ *\* ?/gm, ""))
    .join("\n");

const markdown = [
  ...documents.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
  ...sources.map((path) => ({ path, text: docstringsOf(readFileSync(join(root, path), "utf8")) })),
];
const blocks = markdown.flatMap(({ path, text }) =>
  [...text.matchAll(/^```ts(?<mark>.*)\n(?<code>[^]*?)^```$/gm)].map((match, index) => ({
    name: `${path}, example ${index + 1}`,
    file: join(root, homeOf(path), `${path.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`),
    code: match.groups?.["code"] ?? "",
    isFragment: match.groups?.["mark"]?.trim() === "fragment",
  })),
);
const whole = blocks.filter(({ isFragment }) => !isFragment);
const program = createProgram([], new Map(whole.map(({ file, code }) => [file, `${code}\nexport {};\n`])), {
  ...compilerOptions(),
  paths: Object.fromEntries(
    libraryPackages().flatMap((one) => entryPoints(one).map(({ specifier, source }) => [specifier, [source]])),
  ),
});

test("every document is found", () => {
  expect(documents).toContain("README.md");
});

test("every ts example in the documents and docstrings compiles (mark a part of a program with ```ts fragment)", () => {
  const problems = whole.flatMap(({ name, file }) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
  );
  expect(problems).toEqual([]);
});

test("code that a document embeds from a file equals that file (pnpm docs:update)", () => {
  const shown = documents.flatMap((path) => embeddedCode(readFileSync(join(root, path), "utf8")));
  expect(shown.length).toBeGreaterThan(0);
  for (const { file, code } of shown) expect(code, file).toBe(expectedCode(file));
});

/** The anchor of a heading in the style of code hosts: lower case, no punctuation, a hyphen for each space. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** @param place - a file, for a document optionally with `#` and the anchor of a heading */
function leadsSomewhere(place: string): boolean {
  const [file = "", anchor] = place.split("#");
  if (globSync(file).length === 0) return false;
  if (anchor === undefined || !file.endsWith(".md")) return true;
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor);
}

test("links between documents lead to a file, and to a heading where they name one", () => {
  const broken = documents.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter(
        (link) =>
          !leadsSomewhere(link.startsWith("#") ? join(root, path) + link : join(root, path, "..", decodeURI(link))),
      )
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("the index of decisions lists every record by its date, title and status", () => {
  const folder = join(root, "docs/decisions");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const rows = globSync("2*.md", { cwd: folder })
    .sort()
    .map((file) => {
      const record = readFileSync(join(folder, file), "utf8");
      const title = /^# (.+)$/m.exec(record)?.[1] ?? "no title";
      const status = /^\*\*Status:\*\* (\w+)/m.exec(record)?.[1] ?? "no status";
      return `| ${file.slice(0, 10)} | [${title}](${file}) | ${status} |`;
    });
  expect(rows.length).toBeGreaterThan(0);
  expect(index.split("\n").filter((line) => line.startsWith("| 2"))).toEqual(rows);
});

test("comments that name a page of docs/, or a heading of it, name an existing one", () => {
  const sources = ["packages", "benchmarks", "examples", "reliability", "testing", "scripts"].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,md}`, { cwd: root, exclude: (path) => /node_modules|dist/.test(path) }),
  );
  const named = sources.flatMap((path) =>
    [
      ...readFileSync(join(root, path), "utf8").matchAll(/\bdocs\/(?:decisions|performance)\/[\w.-]+\.md(?:#[\w-]+)?/g),
    ].map(([place]) => ({ path, place })),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(
    named.filter(({ place }) => !leadsSomewhere(join(root, place))).map(({ path, place }) => `${path}: ${place}`),
  ).toEqual([]);
});
