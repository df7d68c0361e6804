import { defineFunction } from "@procedo/private-connection";
import * as z from "zod";
import { readSanctionsList } from "./sanctions-list.ts";
import { screenParty } from "./screen-party.ts";

/** The screening, against the list in a file of this network. It only reads, so it may be called again. */
export function screenVendorBy(listFile: string | URL) {
  return defineFunction({
    name: "screen_vendor",
    description: "Compares a vendor with the local sanctions list: by name, aliases and country.",
    input: z.object({
      name: z.string().trim().min(1).max(500).describe("As in the ledger"),
      country: z.string().length(2).describe("ISO 3166-1 alpha-2 code"),
      threshold: z.number().min(0.5).max(1).default(0.7).describe("Least similarity that a person should look at"),
    }),
    idempotent: true,
    handler: async (party) => screenParty(await readSanctionsList(listFile), party),
  });
}
