import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { sharedFiles } from "../shared-suite/vitest.config.ts";
import { projectFiles } from "../vitest.config.ts";
import { sourceFiles } from "./source-files.ts";

/**
 * Files that may exceed 400 lines, each with its reason: one public class, SQL adapter, state machine, table or list of
 * exports.
 */
const longFiles: Readonly<Record<string, string>> = {
  "packages/contract/src/index.ts": "the exported names of the package",
};

const maxLines = 400;
const bins = /(^|\/)(utils?|helpers?|lib|types|common|misc)(\.test|\.test-d)?(\.ts|\/)/;
const files = sourceFiles();
const lineCount = (text: string): number => text.trimEnd().split("\n").length;

test("no file or folder has a generic name", () => {
  expect(files.map(({ path }) => path).filter((path) => bins.test(path))).toEqual([]);
});

test("files and folders are named in kebab-case", () => {
  expect(
    files.map(({ path }) => path).filter((path) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.[a-z0-9-]+)*\.tsx?$/.test(path)),
  ).toEqual([]);
});

test(`files stay under ${maxLines} lines unless a reason is recorded`, () => {
  const long = files.filter(({ path, text }) => lineCount(text) > maxLines && longFiles[path] === undefined);
  expect(long.map(({ path, text }) => `${path}: ${lineCount(text)} lines`)).toEqual([]);
});

test("every recorded reason belongs to a long file", () => {
  const long = files.filter(({ text }) => lineCount(text) > maxLines).map(({ path }) => path);
  expect(Object.keys(longFiles).filter((path) => !long.includes(path))).toEqual([]);
});

test("every test file is run by exactly one vitest project", () => {
  const tests = files.map(({ path }) => path).filter((path) => /\.test(-d)?\.ts$/.test(path));
  const projectsOf = (path: string): number =>
    [...Object.values(projectFiles), sharedFiles].filter((globs) => globs.some((glob) => matchesGlob(path, glob)))
      .length;
  expect(tests.filter((path) => projectsOf(path) !== 1)).toEqual([]);
});
