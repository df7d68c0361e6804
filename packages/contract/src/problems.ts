import * as z from "zod";

/** Something in a document that keeps it from being used, or that its author should know. */
export const problemSchema = z
  .strictObject({
    severity: z.enum(["error", "warning"]),
    path: z.string().meta({ description: "JSON pointer (RFC 6901) into the document." }),
    code: z.string(),
    message: z.string().meta({ description: "The fault, and what to change." }),
    nodeId: z.string().optional().meta({
      description: "Of a procedure's document: the node that the problem is in, or that its edge leaves.",
    }),
    offset: z.int().min(0).optional().meta({
      description:
        "Characters (UTF-16 code units) from the beginning of the text at `path`, where the problem is in a part of it, such as an expression.",
    }),
    line: z.int().min(1).optional().meta({ description: "In the document's text, where known." }),
    column: z.int().min(1).optional(),
  })
  .meta({ id: "Problem" });

/** Schema of {@link DocumentProblems}. */
export const problemsSchema = z.strictObject({ problems: z.array(problemSchema) }).meta({ id: "Problems" });

/** One fault of a document, or a warning for its author, with the JSON pointer of its place. */
export interface DocumentProblem {
  /** `error`: the document, or this part of it, cannot be used. `warning`: its author should know. */
  severity: "error" | "warning";
  /** JSON pointer (RFC 6901) into the document. */
  path: string;
  /** Kind of the problem, such as `expression` or `unknown_connection`. */
  code: string;
  /** The fault and its correction. */
  message: string;
  /** The node that contains the problem, or the source of its edge. Absent if there is none. */
  nodeId?: string | undefined;
  /** Position within the text at `path`, in UTF-16 code units, if the problem concerns a part of it. */
  offset?: number | undefined;
  /** Line in the document's text, from 1, if the text is available. */
  line?: number | undefined;
  /** Column in that line, from 1, in UTF-16 code units. */
  column?: number | undefined;
}
/** Every fault that was found in a procedure's document. */
export type DocumentProblems = z.infer<typeof problemsSchema>;
