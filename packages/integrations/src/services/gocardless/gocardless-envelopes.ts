import type { JsonValue } from "@procedo/contract";
import * as z from "zod";
import type { ServicePages } from "../../kit/read-pages.ts";

const cursors = z.object({ meta: z.object({ cursors: z.object({ after: z.string().nullable() }) }) });

/** The object in an answer, which is wrapped in a member with the name of its kind. */
export function memberOf(kind: string): (body: JsonValue) => JsonValue {
  const envelope = z.object({ [kind]: z.json() });
  return (body) => envelope.parse(body)[kind] ?? null;
}

/** The pages of a list of objects of this kind. */
export function pagesOf(kind: string): ServicePages {
  const page = z.object({ [kind]: z.array(z.json()) });
  return {
    items: (body) => page.parse(body)[kind] ?? [],
    next: (body, sent) => {
      const { after } = cursors.parse(body).meta.cursors;
      return after === null ? undefined : { ...sent, query: { ...sent.query, after } };
    },
  };
}
