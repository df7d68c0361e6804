import type { JsonObject, ProcedureNode } from "@procedo/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useEnvironment } from "../../shell/environment.ts";
import type { CompletionsAt } from "../../ui/completing-area.tsx";
import { actionOf, connectionChoices } from "../inspector/use-actions.ts";
import type { StepContext } from "../inspector/step-context.ts";
import { certainlyBefore } from "./certainly-before.ts";
import { completionsAt, type ExpressionPlace } from "./completions-at.ts";
import { scopeEntries } from "./scope-entries.ts";

/** Actions whose results are read for the list; more would be many requests. */
const mostActions = 20;

/** Completes expressions of a step from what they can read. `args`: also from the proposed arguments. */
export function useCompletions(
  { document, node }: StepContext,
  place: ExpressionPlace,
  { args = false }: { readonly args?: boolean } = {},
): CompletionsAt {
  const before = useMemo(() => new Set(certainlyBefore(document, node.id)), [document, node.id]);
  const calls = document.nodes.filter(isCall).filter(({ id }) => before.has(id) || (args && id === node.id));
  const schemas = useActionSchemas(calls.slice(-mostActions));
  const own = schemas.get(node.id);
  const entries = useMemo(() => {
    const outputs = new Map([...schemas].flatMap(([id, { output }]) => (output === undefined ? [] : [[id, output]])));
    return scopeEntries(document, node.id, { outputs, ...(args && { args: own?.input ?? {} }) });
  }, [document, node.id, schemas, args, own]);
  return (text, cursor, isAsked) => completionsAt(text, cursor, entries, place, isAsked);
}

type Call = Extract<ProcedureNode, { readonly kind: "tool_call" }>;

function isCall(node: ProcedureNode): node is Call {
  return node.kind === "tool_call";
}

interface ActionSchemas {
  readonly input?: JsonObject | undefined;
  readonly output?: JsonObject | undefined;
}

function useActionSchemas(calls: readonly Call[]): ReadonlyMap<string, ActionSchemas> {
  const environment = useEnvironment();
  const connections = useQuery(connectionChoices(environment));
  const idOf = new Map(connections.data?.map(({ name, id }) => [name, id]));
  return useQueries({
    queries: calls.map(({ connection, action }) => actionOf(environment, idOf.get(connection), action)),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }, index): readonly (readonly [string, ActionSchemas])[] => {
          const id = calls[index]?.id;
          return id === undefined || data === undefined ? [] : [[id, data as unknown as ActionSchemas]];
        }),
      ),
  });
}
