/**
 * Proofs that are test suites of the packages, run with a tier's numbers, counted and reported like the others. `pnpm
 * verify` runs them as tests, and leaves them out of its proofs.
 */
import type { ProofGroup } from "../proof-group.ts";
import { runSuite, type SuiteFiles } from "./run-suite.ts";

function suite(id: string, title: string, project: SuiteFiles["project"], ...files: readonly string[]): ProofGroup {
  return {
    id,
    title,
    isSeeded: false,
    run: async ({ tier, report }) => {
      const { failures, ...counts } = await runSuite({ project, files }, tier);
      report(`${id}: ${counts.tests} tests, ${counts.cases} cases`);
      return { counts, failures: failures.map((failure) => `${failure} (vitest run ${files.join(" ")})`) };
    },
  };
}

const fuzz = "packages/http/test/fuzz";
const expressions = "packages/procedure/src/expressions";
const egress = "packages/engine/src/egress";

export const authorizationGroups: readonly ProofGroup[] = [
  suite(
    "authorization",
    "Every operation for every kind of caller, with own, other-environment, deleted and unknown resources",
    "integration",
    "packages/http/test/authorization-matrix.test.ts",
    "packages/http/test/order-of-checks.test.ts",
  ),
  suite(
    "authorization-people",
    "Every role in each environment over three nodes, sessions and cookies, four eyes, and guesses of passwords",
    "integration",
    "packages/http/test/authorization-sessions.test.ts",
    "packages/http/test/authorization-shared.test.ts",
    "packages/engine/test/guessed-passwords.test.ts",
    "packages/server/test/people-between-nodes.test.ts",
  ),
];

export const fuzzGroups: readonly ProofGroup[] = [
  suite(
    "fuzz-operations",
    "Each operation with valid and invalid input by its schema, and lists with unknown filters",
    "integration",
    `${fuzz}/operations.test.ts`,
  ),
  suite(
    "fuzz-inbound",
    "Random bytes, headers, encodings and truncated bodies at inbound addresses of each kind, signed, forged and unsigned",
    "integration",
    `${fuzz}/inbound.test.ts`,
  ),
  suite(
    "fuzz-sequences",
    "Sequences of requests against a small reference of the service",
    "integration",
    `${fuzz}/sequences.test.ts`,
  ),
  suite(
    "fuzz-texts",
    "Texts that break other services, in every field of text",
    "integration",
    `${fuzz}/texts.test.ts`,
  ),
  suite(
    "fuzz-documents",
    "Random documents: valid ones compile and their runs end, and invalid ones are refused with the reason",
    "integration",
    "packages/procedure/test/random-procedure.test.ts",
  ),
  suite(
    "fuzz-expressions",
    "Random expressions and the escapes of other languages: no host object, no endless loop, no code from text",
    "unit",
    `${expressions}/escapes.test.ts`,
    `${expressions}/cel-agreement.test.ts`,
  ),
  suite(
    "fuzz-decimals",
    "Decimals of up to 30 digits in requests, answers, expressions and texts: digit for digit, or refused",
    "unit",
    "packages/procedure/src/numbers/parse-json.test.ts",
    `${expressions}/decimal.test.ts`,
    `${expressions}/arithmetic.test.ts`,
  ),
];

const client = "packages/private-connection/test";

export const privateConnectionGroups: readonly ProofGroup[] = [
  suite(
    "client-reconnects",
    "The client through restarts, proxies, dead and half-open connections, over TLS",
    "integration",
    `${client}/connecting.test.ts`,
    `${client}/tls-and-proxies.test.ts`,
    `${client}/pair.test.ts`,
  ),
  suite(
    "client-tokens",
    "Tokens that are regenerated or deleted, also while a poll is held; wrong clocks; the shown data of a client",
    "integration",
    "packages/http/test/private-connections.test.ts",
    "packages/http/test/private-connection-clients.test.ts",
    "packages/http/test/private-results-together.test.ts",
    "packages/engine/test/private-connections.test.ts",
    `${client}/leases.test.ts`,
  ),
  suite(
    "client-hostile-answers",
    "Answers that the client must not follow: unknown functions, too much data, violations of the protocol",
    "integration",
    `${client}/denied.test.ts`,
    `${client}/delivery.test.ts`,
    `${client}/results-together.test.ts`,
    `${client}/secrets.test.ts`,
  ),
];

export const limitGroups: readonly ProofGroup[] = [
  suite(
    "limits-requests",
    "Bodies, heads, depth, slow callers and guessed keys at their limits and beyond",
    "integration",
    "packages/http/test/node-listener.test.ts",
    "packages/http/test/rate-limits.test.ts",
    "packages/engine/test/limits.test.ts",
  ),
  suite(
    "limits-depth",
    "Deep values, costly patterns and schemas: refused, or done in time that grows with their length",
    "unit",
    "packages/procedure/src/json-bounds.test.ts",
    "packages/procedure/src/schemas/compile-schema.test.ts",
  ),
];

export const ssrfGroups: readonly ProofGroup[] = [
  suite(
    "ssrf",
    "No connection to a private address: literals, ranges, names, rebinding, redirects, headers and ports",
    "unit",
    ...["address", "destination", "egress-guard", "egress-redirects", "redirect", "guarded-fetch"].map(
      (name) => `${egress}/${name}.test.ts`,
    ),
    ...["request-headers", "egress-sent", "egress-answer"].map((name) => `${egress}/${name}.test.ts`),
    "packages/integrations/src/calls/path-segment.test.ts",
  ),
  suite(
    "ssrf-webhooks",
    "The same when webhooks are created, changed, tested and delivered, and the operator's permitted networks",
    "integration",
    "packages/engine/test/webhook-addresses.test.ts",
    "packages/server/test/allowed-networks.test.ts",
  ),
];

export const damageGroups: readonly ProofGroup[] = [
  suite(
    "damage-bit-flips",
    "Single bits flipped in the write-ahead log and in the database file",
    "integration",
    "packages/storage-sqlite/test/damaged-files.test.ts",
  ),
  suite(
    "damage-backup",
    "A backup taken under load, restored, verified and served",
    "integration",
    "packages/server/test/backup-under-load.test.ts",
  ),
];
