import { readFile } from "node:fs/promises";
import { environments, type Environment, type ProcedureDocument } from "@procedo/contract";
import { ProcedoError, type Engine } from "@procedo/engine";

/** A raw key, shown only once. */
export interface ShownKey {
  readonly environment: Environment;
  /** The person to whom the key belongs. */
  readonly person: string;
  readonly what: string;
  readonly key: string;
}

const by = { person: "operator", via: "example" };

/**
 * Publishes the procedure from its file beside the code, and makes it the default in environments connected to the
 * ledger. A data folder with an older text of the procedure gets a version with the next number.
 */
export async function publishVendorPayment(
  { procedures }: Engine,
  defaultIn: readonly Environment[] = environments,
): Promise<void> {
  await publishNext(procedures, await vendorPaymentDocument(), defaultIn);
}

/**
 * Publishes the variant with an agent in the same way, if the engine has the required models.
 *
 * @returns whether the variant was published
 */
export async function publishMailedPayment(
  { procedures }: Engine,
  defaultIn: readonly Environment[] = environments,
): Promise<boolean> {
  const document = await documentIn("mailed-payment.json");
  const problems = await procedures.validate({ document });
  if (problems.some(({ code }) => code === "model_missing")) return false;
  await publishNext(procedures, document, defaultIn);
  return true;
}

async function publishNext(
  procedures: Engine["procedures"],
  document: ProcedureDocument,
  defaultIn: readonly Environment[],
): Promise<void> {
  for (let number = 1; ; number++) {
    try {
      await procedures.publish({ document, version: String(number), defaultIn, by });
      return;
    } catch (error) {
      if (!ProcedoError.isError(error) || error.code !== "version_exists") throw error;
    }
  }
}

/**
 * Creates keys for two people: one starts runs, the other decides their reviews. Creates none if keys exist already.
 */
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

/** The procedure from its file beside the code. */
export async function vendorPaymentDocument(): Promise<ProcedureDocument> {
  return await documentIn("vendor-payment.json");
}

async function documentIn(file: string): Promise<ProcedureDocument> {
  return JSON.parse(await readFile(new URL(`../${file}`, import.meta.url), "utf8")) as ProcedureDocument;
}
