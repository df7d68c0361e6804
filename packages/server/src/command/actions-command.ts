import type { Command } from "commander";
import {
  describeApi,
  describeProblems,
  importDocument,
  type ApiDescription,
  type ImportProblem,
} from "@procedo/integrations/openapi";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import { jsonOption } from "./options.ts";
import { readApiDocument } from "./read-api-document.ts";
import { table } from "./table.ts";

/** `procedo actions` */
export function addActionsCommand(program: Command, context: CommandContext): void {
  program
    .command("actions")
    .description("Shows the actions of an OpenAPI document and its problems. Saves nothing.")
    .argument("<file|url>", "the document in JSON or YAML; - for standard input")
    .addOption(jsonOption())
    .action(async (from: string, { json }: { readonly json?: true }) => {
      const { allowNetworks } = context.settings();
      const document = await readApiDocument(from, { allowNetworks, stdin: context.stdin });
      const imported = document.ok
        ? importDocument(document.text)
        : { ok: false as const, problems: [document.problem] };
      if (!imported.ok) context.endWith(exitCodes.failed);
      const problems = imported.ok ? imported.api.problems : imported.problems;
      const description = imported.ok ? describeApi(imported.api) : nothingOf(problems);
      if (json) return context.printJson(description);
      context.print(...describe(description, problems));
    });
}

/** A description in the same format for a refused document. */
type Description = { readonly title: string | null; readonly version: string | null } & Pick<
  ApiDescription,
  "baseUrl" | "actions" | "problems"
>;

function nothingOf(problems: readonly ImportProblem[]): Description {
  return { title: null, version: null, baseUrl: null, actions: [], problems: describeProblems(problems) };
}

function describe(
  { title, version, baseUrl, actions }: Description,
  problems: readonly ImportProblem[],
): readonly string[] {
  const rows = actions.map(({ name, method, path, effect, deprecated }) => [
    name,
    method.toUpperCase(),
    path,
    effect,
    deprecated ? "deprecated" : "",
  ]);
  const told = problems.map(({ severity, line, column, pointer, message }) => {
    const place = line === undefined ? "" : `${line}:${column ?? 1} `;
    return `${severity}: ${place}${pointer === "" ? "" : `${pointer} `}${message}`;
  });
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return [
    ...(title === null ? [] : [`${title} ${version ?? ""}, ${baseUrl ?? "no base URL"}`, ""]),
    ...table(["ACTION", "METHOD", "PATH", "EFFECT", ""], rows),
    ...(rows.length > 0 ? [""] : []),
    ...told,
    ...(told.length > 0 ? [""] : []),
    `${counted(actions.length, "action")}, ${counted(errors, "error")}, ${counted(problems.length - errors, "warning")}.`,
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
