import * as z from "zod";

/** The body of a write without parameters. A body with fields is refused rather than ignored. */
export const noBody = { schema: z.strictObject({}), optional: true } as const;
