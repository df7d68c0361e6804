import { defineFunction } from "@procedo/private-connection";
import * as z from "zod";
import { readSanctionsList } from "./sanctions-list.ts";
import { screenParty } from "./screen-party.ts";

/** Screens a vendor against the list in a file of this network. The function only reads, so a call may be repeated. */
export function screenVendorBy(listFile: string | URL) {
  return defineFunction({
    name: "screen_vendor",
    description: "Compares a vendor with the local sanctions list: by name, aliases and country.",
    input: z.object({
      name: z.string().trim().min(1).max(500).describe("The vendor's name in the ledger"),
      country: z.string().length(2).describe("ISO 3166-1 alpha-2 code"),
      threshold: z.number().min(0.5).max(1).default(0.7).describe("Minimum similarity for a check by a person"),
    }),
    idempotent: true,
    handler: async (party) => screenParty(await readSanctionsList(listFile), party),
  });
}
