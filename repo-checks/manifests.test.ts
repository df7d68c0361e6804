import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publishedPackages, root, workspacePackages } from "../scripts/workspace.ts";

describe.each(publishedPackages().map((published) => [published.manifest.name, published] as const))(
  "%s",
  (name, { folder, path, manifest }) => {
    test("has the name of its folder and a description", () => {
      expect(path).toBe(name.replace("@procedo/", "packages/"));
      expect(manifest["description"]).toMatch(/^[A-Z].*\.$/);
    });

    const data = Object.values(manifest.exports ?? {}).flatMap((target) =>
      typeof target === "string" && target !== "./package.json" ? [target] : [],
    );

    test("is an MIT-licensed ES module without side effects that ships only its build and the JSON files that it exports", () => {
      const files = ["dist", ...data.map((target) => target.slice("./".length))];
      expect(manifest).toMatchObject({ license: "MIT", type: "module", sideEffects: false, files });
      for (const file of data) expect(existsSync(join(folder, file))).toBe(true);
    });

    test("runs on Node 22.18 and later", () => {
      expect(manifest["engines"]).toEqual({ node: ">=22.18" });
    });

    test("exports each entry point as source, types and code, in this order", () => {
      const { "./package.json": self, ...entries } = manifest.exports ?? {};
      expect(self).toBe("./package.json");
      expect(Object.keys(entries)).toContain(".");
      for (const target of Object.values(entries)) {
        if (typeof target === "string") continue;
        expect(Object.keys(target)).toEqual(["@procedo/source", "types", "default"]);
      }
    });

    test("publishes the same entry points without the source condition", () => {
      const stripped = Object.entries(manifest.exports ?? {}).map(([subpath, target]) => {
        if (typeof target === "string") return [subpath, target] as const;
        const { "@procedo/source": _source, ...rest } = target;
        return [subpath, rest] as const;
      });
      expect(manifest["publishConfig"]).toEqual({ access: "public", exports: Object.fromEntries(stripped) });
    });

    test("depends on workspace packages by the workspace protocol", () => {
      const ours = Object.entries({
        ...manifest.dependencies,
        ...manifest.peerDependencies,
        ...manifest.devDependencies,
      });
      expect(
        ours.filter(([dependency, range]) => dependency.startsWith("@procedo/") && range !== "workspace:^"),
      ).toEqual([]);
    });

    test("runs no script of its own at installation", () => {
      const scripts = Object.keys(manifest.scripts ?? {});
      expect(scripts.filter((script) => /install|prepare/.test(script))).toEqual([]);
    });

    test("has a README for its page in the registry", () => {
      expect(existsSync(join(folder, "README.md"))).toBe(true);
    });
  },
);

test("examples, benchmarks and reliability tests are private", () => {
  const outside = workspacePackages().filter(({ path }) => !path.startsWith("packages/"));
  expect(outside.filter(({ manifest }) => manifest.private !== true).map(({ path }) => path)).toEqual([]);
});

test("the lockfile contains package names, never the address of a registry", () => {
  expect(readFileSync(join(root, "pnpm-lock.yaml"), "utf8").match(/.*https?:\/\/.*/g) ?? []).toEqual([]);
});

test("the documents state the version of pnpm that package.json pins", () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string };
  const commands = ["README.md", "CONTRIBUTING.md", ".ci/run"].flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/pnpm@[\d.]+/g)].map(([command]) => ({ file, command })),
  );
  expect(commands.length).toBeGreaterThan(2);
  expect(commands.filter(({ command }) => command !== packageManager)).toEqual([]);
});
