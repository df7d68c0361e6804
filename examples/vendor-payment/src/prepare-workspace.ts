import { readFile } from "node:fs/promises";
import { environments, type Environment, type ProcedureDocument } from "@procedo/contract";
import { ProcedoError, type Engine } from "@procedo/engine";

/** A raw key, which is shown once. */
export interface ShownKey {
  readonly environment: Environment;
  /** Whom it counts as. */
  readonly person: string;
  readonly what: string;
  readonly key: string;
}

const by = { person: "operator", via: "example" };

/**
 * Publishes the procedure as it stands beside the code, and makes it the default where the ledger is connected. A data
 * folder that knows it as it was before gets a version with the next number.
 */
export async function publishVendorPayment(
  { procedures }: Engine,
  defaultIn: readonly Environment[] = environments,
): Promise<void> {
  const document = await vendorPaymentDocument();
  for (let number = 1; ; number++) {
    try {
      await procedures.publish({ document, version: String(number), defaultIn, by });
      return;
    } catch (error) {
      if (!ProcedoError.isError(error) || error.code !== "version_exists") throw error;
    }
  }
}

/** The keys of two people, one of whom may decide what the other asks for. None when there are keys already. */
export async function makeFirstKeys({ keys }: Engine): Promise<readonly ShownKey[]> {
  if ((await keys.list({ limit: 1 })).items.length > 0) return [];
  const made: ShownKey[] = [];
  for (const environment of environments) {
    for (const { person, what, permissions } of holders) {
      const { key } = await keys.create({ name: `${person}: ${what}`, environment, permissions, person, by });
      made.push({ environment, person, what, key });
    }
  }
  return made;
}

const holders = [
  { person: "ana", what: "runs and manages", permissions: ["run", "manage"] },
  { person: "ben", what: "reviews", permissions: ["review"] },
] as const;

/** The procedure, as it stands beside the code. */
export async function vendorPaymentDocument(): Promise<ProcedureDocument> {
  return JSON.parse(await readFile(new URL("../vendor-payment.json", import.meta.url), "utf8")) as ProcedureDocument;
}
