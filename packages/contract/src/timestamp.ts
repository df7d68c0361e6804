import * as z from "zod";

/** A point in time in answers: ISO 8601 in UTC, ending in `Z`. */
export const timestampSchema = z.iso.datetime();

/** A point in time in requests: ISO 8601 in UTC or with an offset. */
export const givenTimestampSchema = z.iso.datetime({ offset: true });
