/** Runs tests of the packages with one seeded bug, which the environment names; without one if it names none. */
import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import base from "../../vitest.config.ts";
import { accessMutations, mutationVariable } from "./access-mutations.ts";
import { applyEdit, type Edit } from "./mutation.ts";

const name = process.env[mutationVariable];
const edits = name === undefined ? [] : (accessMutations.find((known) => known.name === name)?.edits ?? []);
if (name !== undefined && edits.length === 0) throw new Error(`There is no mutation "${name}".`);

const seededBug: Plugin = {
  name: "seeded-bug",
  enforce: "pre",
  transform: (source: string, id: string) => {
    const here = edits.filter(({ file }: Edit) => id.endsWith(`/packages/${file}`));
    return here.length === 0 ? undefined : here.reduce(applyEdit, source);
  },
};

const projects = (base.test?.projects ?? []).map((project) =>
  typeof project === "object" && !(project instanceof Promise) ? { ...project, plugins: [seededBug] } : project,
);
// Vitest keeps modules on disk as they were transformed, with or without the bug.
const test = { ...base.test, projects, fsModuleCache: false };

export default defineConfig({ ...base, root: join(import.meta.dirname, "../.."), test });
