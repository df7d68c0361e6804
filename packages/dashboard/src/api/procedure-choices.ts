import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment, ProcedureSummary } from "./models.ts";
import { listKey } from "./query-keys.ts";

const mostPages = 10;
const pageSize = 100;

/** The procedures to choose from, at most 1,000. */
export function procedureChoices(environment: Environment) {
  return queryOptions({
    queryKey: listKey("procedure", environment, "choices"),
    queryFn: async () => {
      const all: ProcedureSummary[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < mostPages; page++) {
        const query = { environment, limit: pageSize, ...(cursor !== undefined && { cursor }) };
        const { data, nextCursor } = await answerOf(api.GET("/api/v1/procedures", { params: { query } }));
        all.push(...data);
        cursor = nextCursor;
        if (cursor === undefined) break;
      }
      return all;
    },
  });
}

/** Whether the choices are all procedures that there are, so that another one does not exist. */
export function isWholeList(choices: readonly ProcedureSummary[] | undefined): boolean {
  return choices !== undefined && choices.length < mostPages * pageSize;
}

/** Options of a select. Procedures with the same name are told apart by their ids. */
export function procedureOptions(
  procedures: readonly Pick<ProcedureSummary, "procedureId" | "name">[],
): readonly { readonly value: string; readonly label: string }[] {
  const names = procedures.map(({ name }) => name);
  return procedures
    .map(({ procedureId, name }) => ({
      value: procedureId,
      label: names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${procedureId})`,
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}
