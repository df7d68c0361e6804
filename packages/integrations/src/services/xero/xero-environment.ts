import { ProcedoError } from "@procedo/contract";
import { ActionError, type AccountContext, type ServiceAccount } from "@procedo/engine";
import * as z from "zod";

const organisations = z.looseObject({ Organisations: z.tuple([z.looseObject({ IsDemoCompany: z.boolean() })]) });

/**
 * Refuses an organisation of the other environment. Xero has no sandbox but its demo companies, and all hosts and
 * credentials are the same: only the organisation itself tells whether its books are real.
 *
 * @param answer - the answer of `GET /Organisation`
 * @throws ProcedoError `credentials_of_other_environment`; ActionError when Xero does not tell
 */
export function checkEnvironment(
  answer: unknown,
  { id, name }: ServiceAccount,
  { environment }: Pick<AccountContext, "environment">,
): void {
  const organisation = `"${name}" (${id})`;
  const read = organisations.safeParse(answer);
  if (!read.success) throw new ActionError(`Xero does not tell whether ${organisation} is a demo company.`);
  const [{ IsDemoCompany: isDemo }] = read.data.Organisations;
  if (isDemo === (environment === "sandbox")) return;
  throw new ProcedoError(
    "credentials_of_other_environment",
    isDemo
      ? `The organisation ${organisation} is a demo company of Xero, and the connection belongs to live. ` +
          "Authorize it for a real organisation, or create a connection in sandbox."
      : `The organisation ${organisation} is no demo company of Xero, and the connection belongs to sandbox. ` +
          "Authorize it for your demo company, or create a connection in live.",
  );
}
