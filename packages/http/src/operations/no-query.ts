import * as z from "zod";

/** The query of an operation without parameters. */
export const noQuery = z.strictObject({});
