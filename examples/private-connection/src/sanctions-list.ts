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

/** Reads the list. Each screening reads the file again, so that a new list takes effect at once. */
export async function readSanctionsList(file: string | URL): Promise<SanctionsList> {
  const read = sanctionsListSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  // An unreadable entry must not be treated as an entry without a match.
  if (!read.success) throw new Error(`The sanctions list cannot be used: ${z.prettifyError(read.error)}`);
  return read.data;
}
