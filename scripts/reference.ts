/** The reference of the published packages, which TypeDoc makes from the docstrings of their entry points. */
import { join } from "node:path";
import {
  Application,
  LogLevel,
  Logger,
  ReflectionKind,
  type DeclarationReflection,
  type ProjectReflection,
} from "typedoc";
import { entryPoints, publishedPackages, root } from "./workspace.ts";

/** Where `pnpm docs` writes the pages; `index.html` is the first. */
export const referenceFolder = join(root, "reports/reference");

export interface Reference {
  readonly application: Application;
  readonly project: ProjectReflection;
  /** Broken links and tags that fit nothing, in TypeDoc's words. */
  readonly warnings: readonly string[];
}

/**
 * Reads the entry points and their docstrings. Types are not checked again: `pnpm types` does that.
 *
 * @throws Error if TypeDoc cannot read an entry point
 */
export async function readReference(): Promise<Reference> {
  const modules = publishedPackages().flatMap(entryPoints);
  const application = await Application.bootstrap({
    name: "Procedo",
    entryPoints: modules.map(({ source }) => source),
    tsconfig: join(root, "tsconfig.json"),
    skipErrorChecking: true,
    readme: "none",
    disableSources: true,
    excludeInternal: true,
    excludeExternals: true,
    validation: { notExported: false, notDocumented: false, invalidLink: true },
  });
  const logger = new CollectingLogger();
  application.logger = logger;
  const project = await application.convert();
  if (project === undefined) throw new Error(`TypeDoc could not read the packages.\n${logger.warnings.join("\n")}`);
  // TypeDoc names a module after its file, and a reader imports it by its specifier.
  for (const module of project.children ?? []) module.name = specifierOf(project, module, modules);
  application.validate(project);
  return { application, project, warnings: logger.warnings };
}

/** Exported symbols without a docstring, as `@procedo/engine: Runs`. */
export function undocumentedExports({ children: modules = [] }: ProjectReflection): readonly string[] {
  return modules.flatMap((module) =>
    (module.children ?? [])
      .filter((one) => one.kind !== ReflectionKind.Reference && !isDocumented(one))
      .map(({ name }) => `${module.name}: ${name}`),
  );
}

function isDocumented(one: DeclarationReflection): boolean {
  return one.hasComment() || (one.signatures ?? []).some((signature) => signature.hasComment());
}

function specifierOf(
  project: ProjectReflection,
  module: DeclarationReflection,
  modules: readonly { readonly specifier: string; readonly source: string }[],
): string {
  const path = project.getSymbolIdFromReflection(module)?.fileName;
  return modules.find(({ source }) => source === path)?.specifier ?? module.name;
}

class CollectingLogger extends Logger {
  readonly warnings: string[] = [];

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.warnings.push(message);
  }
}
