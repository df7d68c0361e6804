import { nearestName, type JsonObject, type ToolCallNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { ScopeTypes } from "../expressions/scope-types.ts";
import { compileValidation, type Validation } from "../schemas/validation.ts";
import { argumentProblems } from "./argument-problems.ts";
import type { DraftNode } from "./read-document.ts";
import type { Report } from "./report.ts";
import type { ActionShape, CompileSurroundings, MissingAction } from "./surroundings.ts";

/** The actions that a document names. Each is looked up once, and its input schema is compiled once. */
export interface Actions {
  /** `undefined` if the connection or its action does not exist. */
  shapeOf(node: ToolCallNode): ActionShape | undefined;
  /** Reports a connection or action that does not exist, and arguments that the action cannot accept. */
  check(draft: DraftNode, types: ScopeTypes): void;
}

/**
 * Suggestions per document: the search for a similar name is slow, and a document with more wrong names has a larger
 * problem.
 */
const maxHints = 50;

export function lookUpActions(surroundings: CompileSurroundings, report: Report): Actions {
  const found = new Map<string, ActionShape | MissingAction>();
  const validations = new Map<JsonObject, Validation | undefined>();

  let hintsLeft = maxHints;

  /** Suggests the known name that is closest to an unknown one. */
  function hint(name: string, known: readonly string[]): string {
    hintsLeft -= 1;
    return hintsLeft < 0 ? "check its spelling." : nearestName(name, known);
  }

  function lookUp({ connection, action }: ToolCallNode) {
    const key = JSON.stringify([connection, action]);
    const shape = found.get(key) ?? surroundings.action(connection, action);
    found.set(key, shape);
    return shape;
  }

  /**
   * `undefined` if the schema cannot be used: its connection's owner has to correct it, and a run reports the failure.
   */
  function validationOf(input: JsonObject): Validation | undefined {
    if (!validations.has(input)) {
      const compiled = compileValidation(input, { unsupportedPatterns: "ignore" });
      validations.set(input, compiled.ok ? compiled.validation : undefined);
    }
    return validations.get(input);
  }

  return {
    shapeOf(node) {
      const shape = lookUp(node);
      return "missing" in shape ? undefined : shape;
    },
    check({ path, node, broken }, types) {
      if (node?.kind !== "tool_call" || broken.has("/connection") || broken.has("/action")) return;
      const shape = lookUp(node);
      if ("missing" in shape && shape.missing === "connection") {
        const otherwise =
          shape.known.length === 0 ? "create it, or name another one." : hint(node.connection, shape.known);
        const message = `There is no connection "${node.connection}"; ${otherwise}`;
        report[surroundings.connectionMissing](path + jsonPointer(["connection"]), "unknown_connection", message);
      } else if ("missing" in shape) {
        const otherwise =
          shape.known.length === 0
            ? "it has no actions yet. For a private connection, start its client first: the client registers the functions."
            : hint(node.action, shape.known);
        const message = `Connection "${node.connection}" has no action "${node.action}"; ${otherwise}`;
        report[surroundings.connectionMissing](path + jsonPointer(["action"]), "unknown_action", message);
      } else {
        adviseOn(shape, path + jsonPointer(["action"]), node, report);
        const mapped = {
          arguments: node.arguments ?? {},
          agentAdds: node.instructions !== undefined || broken.has("/instructions"),
          input: shape.input,
          validation: validationOf(shape.input),
          types,
        };
        for (const problem of argumentProblems(mapped)) {
          const name = problem.path.slice(1) || "arguments";
          report.error(
            `${path}/arguments${problem.path}`,
            "arguments",
            `Action "${node.action}": ${name} ${problem.message}`,
          );
        }
      }
    },
  };
}

/** Warns of actions that still work but may be removed. */
function adviseOn({ renamedTo, deprecated }: ActionShape, path: string, node: ToolCallNode, report: Report): void {
  const { connection, action } = node;
  if (renamedTo !== undefined) {
    const message = `Action "${action}" of connection "${connection}" was renamed to "${renamedTo}"; use the new name.`;
    report.warning(path, "renamed_action", message);
  }
  if (deprecated === true) {
    const message = `Action "${action}" of connection "${connection}" is deprecated; use its replacement.`;
    report.warning(path, "deprecated_action", message);
  }
}
