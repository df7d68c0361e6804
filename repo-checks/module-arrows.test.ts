import { describe, expect, test } from "vitest";
import {
  dashboardModules,
  dashboardRoot,
  engineModules,
  engineRoot,
  moduleOf,
  upwardImports,
} from "./module-arrows.ts";
import { isTest, sourceFiles } from "./source-files.ts";

describe.each([
  ["engine", engineRoot, engineModules],
  ["dashboard", dashboardRoot, dashboardModules],
] as const)("%s", (_name, root, modules) => {
  const files = sourceFiles([root.slice(0, -1)]).filter(({ path }) => !path.endsWith(".d.ts"));

  test("every module has one place in the table, which contains no other module", () => {
    const present = new Set(files.filter(({ path }) => !isTest(path)).map(({ path }) => moduleOf(path, root)));
    expect([...modules.flat()].sort()).toEqual([...present].sort());
  });

  test("modules import only modules below them, types included", () => {
    expect(upwardImports(files, modules, root)).toEqual([]);
  });
});

test("an import that points up or sideways is reported, including a type import", () => {
  const modules = [["runs"], ["calls", "reviews"], ["journal"]];
  const texts = {
    "runs/worker.ts": 'import { call } from "../calls/call.ts";\n',
    "calls/call.ts": 'import { ask } from "../reviews/ask.ts";\nimport { read } from "../journal/read.ts";\n',
    "journal/read.ts": 'import type { Run } from "../runs/run.ts";\n',
    "journal/read.test.ts": 'import { run } from "../runs/run.ts";\n',
  };
  const given = Object.entries(texts).map(([path, text]) => ({ path: engineRoot + path, text }));
  expect(upwardImports(given, modules)).toEqual([
    `${engineRoot}calls/call.ts imports ${engineRoot}reviews/ask.ts, but "reviews" is on the same line as "calls" in the table of modules.`,
    `${engineRoot}journal/read.ts imports ${engineRoot}runs/run.ts, but "runs" is above "journal" in the table of modules.`,
  ]);
});
