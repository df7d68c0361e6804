import { dirname, join, normalize } from "node:path";
import { importsOf } from "./arrows.ts";
import { isTest, type SourceFile } from "./source-files.ts";

/** The place of the engine's modules: each is a folder, or a file beside them. */
export const engineRoot = "packages/engine/src/";

/**
 * The engine's modules, top down. A module imports only from lines below its own, type imports included; modules on one
 * line do not import each other.
 */
export const engineModules: readonly (readonly string[])[] = [
  ["index", "testing"],
  ["create-engine"],
  ["requests", "follow-storage"],
  ["engine"],
  ["backtest", "live", "summary"],
  ["triggers"],
  ["runs"],
  ["agent"],
  ["calls", "procedures", "private-connections", "deliveries", "authorizations"],
  ["connections", "webhooks", "engine-options"],
  ["keys", "archive", "models", "grants"],
  ["people"],
  ["reviews", "integrations", "budgets", "audit"],
  ["journal", "egress", "secrets"],
  ["access"],
  ["inbox", "json", "ports", "schedules"],
];

/** The place of the dashboard's modules. */
export const dashboardRoot = "packages/dashboard/src/";

/** The dashboard's modules, top down. The rooms, a noun of the field each, are on one line: no room imports another. */
export const dashboardModules: readonly (readonly string[])[] = [
  ["index", "main"],
  ["site", "router"],
  ["routes"],
  [
    "account",
    "api-keys",
    "audit",
    "connections",
    "editor",
    "home",
    "people",
    "procedures",
    "reviews",
    "runs",
    "settings",
    "sign-in",
    "triggers",
    "webhooks",
  ],
  ["shell"],
  ["changes"],
  ["flowchart", "forms"],
  ["values"],
  ["ui"],
  ["api"],
];

/** The module that a file below the root of its modules belongs to. */
export function moduleOf(path: string, root: string = engineRoot): string {
  const [first = ""] = path.slice(root.length).split("/");
  return first.replace(/\.tsx?$/, "");
}

/** The imports between modules that do not point down, each as a sentence. Tests and fixtures may import anything. */
export function upwardImports(
  files: readonly SourceFile[],
  modules: readonly (readonly string[])[] = engineModules,
  root: string = engineRoot,
): readonly string[] {
  const moduleOfFile = (path: string): string => moduleOf(path, root);
  const lineOf = (name: string): number => modules.findIndex((line) => line.includes(name));
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => {
      const from = moduleOfFile(path);
      return importsOf(text)
        .filter((specifier) => /^\..*\.tsx?$/.test(specifier))
        .map((specifier) => normalize(join(dirname(path), specifier)))
        .filter((target) => moduleOfFile(target) !== from && lineOf(moduleOfFile(target)) <= lineOf(from))
        .map((target) => {
          const to = moduleOfFile(target);
          const place = lineOf(to) === lineOf(from) ? "is on the same line as" : "is above";
          return `${path} imports ${target}, but "${to}" ${place} "${from}" in the table of modules.`;
        });
    });
}
