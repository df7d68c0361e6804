import type { JsonObject } from "@procedo/contract";
import type { Integration, TestAnswer } from "../integrations/integration.ts";
import type { Secrets } from "../integrations/secrets-by-name.ts";
import { advising, usePrivateConnection } from "../egress/advice.ts";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import { createRedactor } from "../secrets/redact.ts";
import { whileOutside } from "../egress/outside.ts";
import { releasing, type AcceptPorts } from "./accept-connection.ts";

/** Maximum duration of a test. */
const testTimeoutMs = 15_000;

/** Maximum length of a test's error, in characters. */
const maxErrorLength = 2_000;

/**
 * Tests a connection by one harmless request. For a coded integration it only checks the settings and secrets. Secrets
 * are removed from the error of a request.
 */
export async function testConnection(
  ports: AcceptPorts & { readonly clock: Pick<Clock, "after"> },
  integration: Integration,
  tested: {
    readonly settings: JsonObject;
    readonly secrets: Secrets;
    readonly document: () => Promise<string>;
  },
): Promise<TestAnswer> {
  const { settings, secrets } = tested;
  if (integration.kind === "coded") {
    const [first] = integration.checkConnection(settings, secrets);
    return first === undefined ? { ok: true } : { ok: false, error: `${first.path} ${first.message}` };
  }
  const document = await tested.document();
  const redactor = createRedactor(Object.values(secrets));
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = ports.clock.after(testTimeoutMs, () => controller.abort(new Error("The test took too long.")));
  const answer = await whileOutside(ports.outside, async (): Promise<TestAnswer> => {
    // The test reads the document to find a request.
    const lock = await ports.mutex.acquire();
    try {
      const fetch = releasing(
        lock,
        guardedFetch(advising(ports.egress, usePrivateConnection), { signal, timeoutMs: testTimeoutMs }),
      );
      return await integration.test({ settings, document }, { secrets, redactor, fetch, signal });
    } catch (error) {
      return { ok: false, error: errorText(error) };
    } finally {
      lock.release();
    }
  }).finally(cancel);
  if (answer.ok) return answer;
  return { ok: false, error: redactor.cut(answer.error, maxErrorLength) };
}
