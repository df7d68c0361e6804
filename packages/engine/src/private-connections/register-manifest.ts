import { ProcedoError, type ErrorDetail, type ParsedManifest } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { connectionBody, connectionKind } from "../connections/connection-record.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { deadToken } from "./clients.ts";
import { schemaProblems } from "../connections/private/function-action.ts";
import type { KnownManifest } from "../connections/private/known-manifest.ts";
import { manifestDigest, maxManifests, type Manifests } from "../connections/private/manifests.ts";
import type { PrivateClient } from "./private-client.ts";

export interface RegisterPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "now" | "soon">;
  readonly log: Log;
  readonly manifests: Manifests;
}

/** A registration that is repeated within this time changes nothing. */
const freshMs = 60_000;
/** Attempts against concurrent registrations: clients that start together register the same manifest at once. */
const maxTries = 10;

/** See `PrivateConnections.register`. */
export async function registerManifest(
  ports: RegisterPorts,
  client: PrivateClient,
  { functions }: ParsedManifest,
): Promise<{ readonly digest: string }> {
  const { storage, workspace, clock, log, manifests } = ports;
  const { environment, connectionId, tokenDigest } = client;
  const digest = manifestDigest(functions);
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await storage.records.get({ workspace, kind: connectionKind, id: connectionId });
    const body = row && connectionBody(row);
    if (row === undefined || body?.tokens?.[environment] !== tokenDigest) throw deadToken();
    const { manifests: before, revision } = await manifests.list(client);
    const known = before.find((one) => one.digest === digest);
    const isKept = known !== undefined && (await manifests.read(client, digest)) !== undefined;
    if (!isKept) {
      await checkSchemas(clock, functions);
      await manifests.keep(client, digest, functions);
    } else if (clock.now() - known.registeredAtMs < freshMs) {
      return { digest };
    }
    const newest: KnownManifest = { digest, registeredAtMs: clock.now() };
    const kept = [newest, ...before.filter((one) => one.digest !== digest)];
    const dropped = kept.splice(maxManifests);
    if (!(await manifests.putList(client, kept, revision))) continue;
    for (const one of dropped) await manifests.remove(client, one.digest);
    const fields = { connectionId, environment, functions: functions.length };
    if (known === undefined) log.info("A client of a private connection registered a new manifest.", fields);
    return { digest };
  }
  throw new ProcedoError("overloaded", "Too many clients registered at the same time. Try again.", {
    retryAfterMs: 1_000,
  });
}

/** Checks one schema per turn of the event loop, since each takes a while. */
async function checkSchemas(clock: Pick<Clock, "soon">, functions: ParsedManifest["functions"]): Promise<void> {
  const details: ErrorDetail[] = [];
  let firstFunction: string | undefined;
  for (const [index, declared] of functions.entries()) {
    for (const { path, message } of schemaProblems(declared)) {
      firstFunction ??= declared.name;
      details.push({ path: `/functions/${index}/input${path}`, message });
    }
    await new Promise<void>((resolve) => clock.soon(resolve));
  }
  const [first] = details;
  if (first === undefined) return;
  const message = `The input schema of the function "${firstFunction}" cannot be used: ${first.path} ${first.message}`;
  throw new ProcedoError("invalid_input", message, { details });
}
