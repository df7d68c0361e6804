import * as z from "zod";
import { idempotencyKeyTtlBoundsMs } from "./limits.ts";

/** How long a service keeps an idempotency key, in milliseconds. */
export const idempotencyKeyTtlMsSchema = z.int().min(idempotencyKeyTtlBoundsMs.min).max(idempotencyKeyTtlBoundsMs.max);
