import * as z from "zod";

/** An http or https URL. Whether the service may reach it is decided where it is called. */
export const webAddressSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2_048)
  .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair");
