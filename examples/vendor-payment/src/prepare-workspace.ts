import { readFile } from "node:fs/promises";
import { environments, type Environment, type ProcedureDocument } from "@procedo/contract";
import { ProcedoError, type AccessRole, type Engine } from "@procedo/engine";

/** A raw key, shown only once. */
export interface ShownKey {
  readonly environment: Environment;
  /** E-mail address of the person as whom the key acts. */
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

/** Publishes the procedure that the schedule starts, in the same way. */
export async function publishDueInvoices(
  { procedures }: Engine,
  defaultIn: readonly Environment[] = environments,
): Promise<void> {
  await publishNext(procedures, await documentIn("due-invoices.json"), defaultIn);
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

/** An invitation, whose token is shown only once. */
export interface ShownInvitation {
  readonly person: string;
  /** The person's role in both environments. */
  readonly role: AccessRole;
  readonly token: string;
}

/**
 * Whether no keys were made yet. They are made last: a start that is cut off before them is repeated by the next one, whose
 * invitations replace the open ones.
 */
export async function isNew({ keys, people }: Engine): Promise<boolean> {
  const [first, person] = [await keys.list({ limit: 1 }), await people.list({ limit: 1 })];
  return first.items.length === 0 && person.items.length === 0;
}

/** Invites the two people of the example: one runs, manages and administers, the other decides reviews. */
export async function inviteFirstPeople({ people }: Engine): Promise<readonly ShownInvitation[]> {
  const made: ShownInvitation[] = [];
  for (const { person, role } of holders) {
    const { token } = await people.invite({ email: person, access: { sandbox: [role], live: [role] }, by });
    made.push({ person, role, token });
  }
  return made;
}

/**
 * Starts a payment by Ana that waits for Ben: his first page has a review to decide. Started once, also when a start is
 * cut off and repeated.
 */
export async function startFirstPayment({ runs }: Engine): Promise<void> {
  await runs.execute({
    procedureId: "vendor-payment",
    environment: "sandbox",
    data: { vendorId: "ven_acme", invoiceId: "inv_1006", amount: 1_850_000 },
    idempotencyKey: "first-payment-of-the-example",
    by: { person: ana, via: "example" },
  });
}

/** Creates keys that act as the two people, also before they have joined. */
export async function makeFirstKeys({ keys }: Engine): Promise<readonly ShownKey[]> {
  const made: ShownKey[] = [];
  for (const environment of environments) {
    for (const { person, what, permissions } of holders) {
      const { key } = await keys.create({ name: `${person}: ${what}`, environment, permissions, person, by });
      made.push({ environment, person, what, key });
    }
  }
  return made;
}

/** The people of the example, by their e-mail addresses. */
export const [ana, ben] = ["ana@example.com", "ben@example.com"] as const;

const holders = [
  { person: ana, role: "owner", what: "runs and manages", permissions: ["run", "manage"] },
  { person: ben, role: "reviewer", what: "reviews", permissions: ["review"] },
] as const;

/** The procedure from its file beside the code. */
export async function vendorPaymentDocument(): Promise<ProcedureDocument> {
  return await documentIn("vendor-payment.json");
}

async function documentIn(file: string): Promise<ProcedureDocument> {
  return JSON.parse(await readFile(new URL(`../${file}`, import.meta.url), "utf8")) as ProcedureDocument;
}
