import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { AccountContext } from "../integrations/account-context.ts";
import type { Integration, TestAnswer, TestContext } from "../integrations/integration.ts";
import type { Secrets } from "../integrations/secrets-by-name.ts";
import { advising, usePrivateConnection } from "../egress/advice.ts";
import { guardedConnect } from "../egress/guarded-connect.ts";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import type { Authorization } from "../grants/authorization.ts";
import { authorizedFetch } from "../grants/authorized-fetch.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import { createRedactor } from "../secrets/redact.ts";
import { whileOutside } from "../egress/outside.ts";
import type { Grants } from "../grants/grants.ts";
import type { ConnectionPlace } from "./connection-record.ts";
import { releasing, type AcceptPorts } from "./accept-connection.ts";

/** Maximum duration of a test. */
const testTimeoutMs = 15_000;

/** Maximum length of a test's error, in characters. */
const maxErrorLength = 2_000;

/** Maximum length of an account's id and name, in characters. */
const maxAccountLength = 200;

interface TestedConnection {
  readonly place: ConnectionPlace;
  readonly settings: JsonObject;
  readonly secrets: Secrets;
  readonly document: () => Promise<string>;
}

type TestPorts = AcceptPorts & {
  readonly clock: Pick<Clock, "after">;
  readonly grants: Pick<Grants, "authorizationOf">;
};

/**
 * Tests a connection by one harmless request. For a coded integration that cannot name the account of its credentials,
 * it only checks the settings and secrets. Secrets are removed from the error of a request.
 */
export async function testConnection(
  ports: TestPorts,
  integration: Integration,
  tested: TestedConnection,
): Promise<TestAnswer> {
  const { place, settings, secrets } = tested;
  const { environment } = place;
  const client = integration.oauth?.({ environment, settings, secrets });
  const authorization =
    client === undefined ? undefined : ports.grants.authorizationOf(place, client, Object.values(secrets));
  if (integration.kind === "documented") {
    const document = await tested.document();
    return await inTime(ports, { secrets, authorization }, async (context) => {
      // The test reads the document to find a request.
      const lock = await ports.mutex.acquire();
      try {
        const fetch = releasing(lock, context.fetch);
        return await integration.test({ settings, document }, { ...context, fetch });
      } finally {
        lock.release();
      }
    });
  }
  const [first] = integration.checkConnection(settings, secrets);
  if (first !== undefined) return { ok: false, error: `${first.path} ${first.message}` };
  const { account } = integration;
  if (account === undefined) return { ok: true };
  return await inTime(ports, { secrets, authorization }, async (context) => {
    const found = await account({ ...context, environment, settings, account: authorization?.account }).catch(
      (error: unknown) => {
        if (ProcedoError.isError(error)) throw error;
        // The error of a parse quotes the answer.
        throw new Error(`${integration.title} answered in a form that names no account.`);
      },
    );
    const [id, name] = [found.id, found.name].map((text) => context.redactor.cut(text, maxAccountLength));
    return { ok: true, account: { id: id ?? "", name: name ?? "" } };
  });
}

/** Makes the test's requests, and describes a failure without the secrets. */
async function inTime(
  { egress, clock, outside }: TestPorts,
  { secrets, authorization }: { readonly secrets: Secrets; readonly authorization: Authorization | undefined },
  test: (context: TestContext & Pick<AccountContext, "connect">) => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const redactor = authorization?.redactor ?? createRedactor(Object.values(secrets));
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = clock.after(testTimeoutMs, () => controller.abort(new Error("The test took too long.")));
  const reached = advising(egress, usePrivateConnection);
  const guarded = guardedFetch(reached, { signal, timeoutMs: testTimeoutMs });
  const fetch = authorization === undefined ? guarded : authorizedFetch(guarded, authorization);
  const connect = guardedConnect(reached, { signal });
  const answer = await whileOutside(outside, async (): Promise<TestAnswer> => {
    try {
      const ready = await authorization?.ready();
      if (ready !== undefined && ready.status !== "ready") return { ok: false, error: ready.message };
      return await test({ secrets, redactor, fetch, connect, signal });
    } catch (error) {
      return { ok: false, error: errorText(error) };
    }
  }).finally(cancel);
  if (answer.ok) return answer;
  return { ok: false, error: redactor.cut(answer.error, maxErrorLength) };
}
