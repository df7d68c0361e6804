import * as z from "zod";
import { scopeQuerySchema } from "./environment.ts";
import { pageLimit } from "./limits.ts";

/** `nextCursor` of an answer, given back. */
export const cursorSchema = z
  .string()
  .min(1)
  .max(2_048)
  .meta({ description: "`nextCursor` of the page before, sent with the same filters." });

/** Query of a list without filters; lists with filters extend it. */
export const pageQuerySchema = scopeQuerySchema.extend({
  limit: z.coerce
    .number<number>()
    .int()
    .min(pageLimit.min)
    .max(pageLimit.max)
    .default(pageLimit.default)
    .meta({ description: "How many items to answer at most." }),
  cursor: cursorSchema.optional(),
});

/** A list's query as it is sent. */
export type PageQuery = z.input<typeof pageQuerySchema>;
/** A list's query as it is read. */
export type ParsedPageQuery = z.infer<typeof pageQuerySchema>;

type PageSchema<Item extends z.ZodType> = z.ZodObject<
  { data: z.ZodArray<Item>; nextCursor: z.ZodOptional<z.ZodString> },
  z.core.$strict
>;

/** Schema of one page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item): PageSchema<Item> {
  return z.strictObject({
    data: z.array(item),
    nextCursor: z.string().optional().meta({ description: "Opaque. Left out on the last page." }),
  });
}

/** One page of a list. */
export interface Page<Item> {
  /** The items of the page. */
  data: Item[];
  /** Opaque; `undefined` on the last page. */
  nextCursor?: string | undefined;
}
