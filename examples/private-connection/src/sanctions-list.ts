import { readFile } from "node:fs/promises";
import * as z from "zod";

const sanctionsListSchema = z.object({
  publishedOn: z.iso.date(),
  entries: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string().min(1),
      aliases: z.array(z.string().min(1)),
      /** ISO 3166-1 alpha-2 code. */
      country: z.string().length(2),
      program: z.string(),
    }),
  ),
});

export type SanctionsList = z.infer<typeof sanctionsListSchema>;
export type ListedParty = SanctionsList["entries"][number];

/** Reads the list. It is read for each screening, so that a new one counts as soon as it lies there. */
export async function readSanctionsList(file: string | URL): Promise<SanctionsList> {
  const read = sanctionsListSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  // An entry that cannot be read must not look like one that does not match.
  if (!read.success) throw new Error(`The sanctions list cannot be used: ${z.prettifyError(read.error)}`);
  return read.data;
}
