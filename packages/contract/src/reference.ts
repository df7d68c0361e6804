import * as z from "zod";

/** The most characters (UTF-16 code units) of a run's reference. */
export const maxReferenceLength = 200;

/** Schema of a run's reference, in answers. */
export const referenceSchema = z.string().min(1).max(maxReferenceLength).meta({
  description: "The reference of the run, such as an invoice number. Omitted if it has none.",
});
