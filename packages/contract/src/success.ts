import * as z from "zod";

/** Answer of a request that changes something and has nothing else to say. */
export const successSchema = z.strictObject({ success: z.literal(true) }).meta({ id: "Success" });

/** Answer to a change that has nothing else to report: `{ success: true }`. */
export type Success = z.infer<typeof successSchema>;
