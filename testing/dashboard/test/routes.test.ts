import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { states } from "../screenshots/states.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = `${root}packages/dashboard/src/routes/`;
const files = readdirSync(folder).map((name) => readFileSync(`${folder}${name}`, "utf8"));
const router = [readFileSync(`${folder}../router.tsx`, "utf8"), ...files].join("\n");

/** Routes that lead to another page, or that are shown beside one. */
const withoutPage = ["/"];

/** The patterns of all addresses, by the parents that the router's source names. */
function patterns(): readonly string[] {
  const own = new Map<string, { readonly parent: string; readonly path: string }>();
  // A definition ends where the next one at the margin begins.
  for (const [, name = "", body = ""] of router.matchAll(
    /^(?:export )?const (\w+) = createRoute\(([^]*?)(?=^\w|$(?![^]))/gm,
  )) {
    const parent = /getParentRoute: \(\) => (\w+)/.exec(body)?.[1] ?? "";
    own.set(name, { parent, path: /\bpath: "([^"]*)"/.exec(body)?.[1] ?? "" });
  }
  const pathOf = (name: string): string => {
    const route = own.get(name);
    return route === undefined ? "" : `${pathOf(route.parent)}/${route.path}`;
  };
  const joined = [...router.matchAll(/\bjoin\("(\/\w+)"\)/g)].map(([, path = ""]) => path);
  const all = [...own.keys()].map((name) =>
    pathOf(name)
      .replaceAll(/\/+/g, "/")
      .replace(/(?<=.)\/$/, ""),
  );
  return [...new Set([...all, ...joined])];
}

test("every route of the dashboard has a state on the sheet", () => {
  const shown = new Set(states.map(({ route }) => route));
  const routes = patterns();
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((pattern) => !shown.has(pattern) && !withoutPage.includes(pattern))).toEqual([]);
});

test("the sheet has each state in both schemes, in files of at most 150 kB", () => {
  const document = readFileSync(`${root}docs/dashboard.md`, "utf8");
  const wrong: string[] = [];
  for (const { name } of states) {
    for (const file of [`dashboard/${name}.png`, `dashboard/${name}-dark.png`]) {
      const path = `${root}docs/${file}`;
      if (!document.includes(`(${file})`)) wrong.push(`${file} is not on the sheet`);
      if (!existsSync(path)) wrong.push(`${file} does not exist`);
      else if (statSync(path).size > 150_000) wrong.push(`${file} has ${statSync(path).size} bytes`);
    }
  }
  expect(wrong).toEqual([]);
});
