import { normalName, ProcedoError, requestProblems } from "@procedo/contract";
import type * as z from "zod";

/**
 * The fields in the contract's form: requests from code are validated like those from HTTP. Fields that are `undefined`
 * are left out.
 *
 * @throws ProcedoError `invalid_input` with the place of each problem
 */
export function checkedFields<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const details = requestProblems(parsed.error).map(({ path, message }) => ({ path, message }));
  const [first] = details;
  throw new ProcedoError("invalid_input", `The field ${first?.path.slice(1) ?? ""} ${first?.message ?? ""}.`, {
    details,
  });
}

/** Groups as normal names, each once. */
export function checkedGroups(groups: readonly string[]): readonly string[] {
  return [...new Set(groups.map(normalName))];
}
