import * as z from "zod";

/** An array that names nothing twice. */
export function distinct<Item extends z.ZodType<string>>(item: Item): z.ZodArray<Item> {
  return z
    .array(item)
    .refine((items) => new Set(items).size === items.length, "must not name anything twice")
    .meta({ uniqueItems: true });
}
