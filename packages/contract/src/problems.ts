import * as z from "zod";

/** Something in a document that keeps it from being used, or that its author should know. */
export const problemSchema = z
  .strictObject({
    severity: z.enum(["error", "warning"]),
    path: z.string().meta({ description: "JSON pointer (RFC 6901) into the document." }),
    code: z.string(),
    message: z.string().meta({ description: "What is wrong and what to change." }),
    line: z.int().min(1).optional().meta({ description: "In the document's text, where known." }),
    column: z.int().min(1).optional(),
  })
  .meta({ id: "Problem" });

export const problemsSchema = z.strictObject({ problems: z.array(problemSchema) }).meta({ id: "Problems" });

export type DocumentProblem = z.infer<typeof problemSchema>;
export type DocumentProblems = z.infer<typeof problemsSchema>;
