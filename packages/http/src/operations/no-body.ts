import * as z from "zod";

/** Of a write that has nothing to say. What is sent all the same is not ignored: its sender meant something by it. */
export const noBody = { schema: z.strictObject({}), optional: true } as const;
