import { jsonPointer } from "@procedo/contract/syntax";
import type { InputSchema, SchemaIssue } from "../functions/input-schema.ts";
import { thrownText } from "./thrown-text.ts";

export type CheckedInput =
  { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

/** The maximum number of problems in one message. */
const maxProblems = 100;

/** Checks the received input against the function's schema. One message lists every problem. Never rejects. */
export async function checkInput(schema: InputSchema, given: unknown): Promise<CheckedInput> {
  try {
    const check = await schema.safeParseAsync(given);
    if (check.success) return { ok: true, input: check.data };
    const { issues } = check.error;
    const more = issues.length > maxProblems ? [`and ${issues.length - maxProblems} more`] : [];
    const lines = [...issues.slice(0, maxProblems).map(problemText), ...more];
    return { ok: false, message: `Invalid input: ${lines.join("; ")}.` };
  } catch (thrown) {
    // A transform or refinement of the schema threw.
    return { ok: false, message: `The input could not be checked: ${thrownText(thrown)}` };
  }
}

function problemText({ path, message }: SchemaIssue): string {
  const pointer = jsonPointer(path);
  return pointer === "" ? message : `${pointer}: ${message}`;
}
