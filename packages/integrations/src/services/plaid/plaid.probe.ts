import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { IntegrationProbe, ProbedCall } from "../../testing/index.ts";
import { plaid } from "./plaid.ts";

const token = "access-sandbox-7c1d7a38-0c9d-4f5a-9f5e-1f2b3c4d5e6f";
/** Secrets of the probe's connection, with one item. */
export const plaidProbeSecrets = {
  clientId: "5f1a2b3c4d5e6f7a8b9c0d1e",
  secret: "0a1b2c3d4e5f60718293a4b5c6d7e8",
  "item:main": token,
} as const;

const balances = {
  available: 110.5,
  current: 120,
  limit: null,
  iso_currency_code: "USD",
  unofficial_currency_code: null,
};
const checking = {
  ...{ account_id: "acc_1", balances, mask: "0000", name: "Checking", official_name: null },
  ...{ type: "depository", subtype: "checking" },
};
const transaction = {
  ...{ transaction_id: "tx_1", account_id: "acc_1", amount: 48, iso_currency_code: "USD", date: "2026-11-27" },
  ...{ name: "Rent", merchant_name: null, pending: false, pending_transaction_id: null },
};
const verification = {
  ...{ id: "idv_1", client_user_id: "person-7", status: "active", shareable_url: "https://verify.plaid.test/1" },
  ...{ completed_at: null, watchlist_screening_id: null },
};
const screening = { id: "scr_1", status: "pending_review", client_user_id: null, assignee: null };
const transfer = {
  ...{ id: "tr_1", authorization_id: "auth_1", status: "pending", type: "credit", amount: "48.00" },
  ...{ iso_currency_code: "USD", network: "ach", failure_reason: null, description: "Refund" },
};
const searched = { legal_name: "Jane Doe", country: "US" };
const pageOf = (id: string, next_cursor: string, has_more: boolean) => ({
  ...{ added: [{ ...transaction, transaction_id: id }], modified: [], removed: [], accounts: [] },
  ...{ next_cursor, has_more, request_id: "req_1" },
});

const keyId = "bfbd5111-8e33-4643-8ced-b2e642a72f3c";
const signingKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
/** The key of Plaid's signatures, as Plaid publishes it. */
export const plaidKey = {
  ...{ alg: "ES256", kid: keyId, use: "sig", created_at: 1_795_000_000, expired_at: null },
  ...(signingKey.publicKey.export({ format: "jwk" }) as { readonly [name: string]: string }),
};

/** Signs a body as Plaid does. */
export function plaidSignature(
  body: string,
  nowMs: number,
  { key = signingKey.privateKey, header = {} }: { readonly key?: KeyObject; readonly header?: JsonObject } = {},
): string {
  const part = (value: JsonValue) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const digest = createHash("sha256").update(body).digest("hex");
  const claims = { iat: Math.floor(nowMs / 1_000), request_body_sha256: digest };
  const text = `${part({ alg: "ES256", kid: keyId, typ: "JWT", ...header })}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** The facts by which the integration is tried. */
export function plaidProbe(origin: string): IntegrationProbe {
  const ofItem = { access_token: token };
  const integration = plaid({ baseUrl: origin });
  const events = integration.inbound?.events ?? [];
  return {
    integration,
    connection: { environment: "sandbox", secrets: plaidProbeSecrets },
    misplaced: {
      environment: "sandbox",
      secrets: { ...plaidProbeSecrets, "item:main": token.replace("sandbox", "production") },
    },
    calls: {
      get_item: call("/item/get", {
        args: { item: "main" },
        sent: ofItem,
        answer: { item: { item_id: "it_1", error: null, consent_expiration_time: null }, request_id: "req_1" },
        output: { item_id: "it_1", error: null, consent_expiration_time: null },
      }),
      get_accounts: call("/accounts/get", {
        args: { item: "main", account_ids: ["acc_1"] },
        sent: { ...ofItem, options: { account_ids: ["acc_1"] } },
        answer: { accounts: [checking], item: { item_id: "it_1" } },
      }),
      get_account_numbers: call("/auth/get", {
        args: { item: "main" },
        sent: ofItem,
        answer: {
          accounts: [checking],
          numbers: {
            ach: [{ account_id: "acc_1", account: "1111222233330000", routing: "011401533", wire_routing: null }],
            ...{ eft: [], international: [], bacs: [] },
          },
        },
      }),
      get_identity: call("/identity/get", {
        args: { item: "main" },
        sent: ofItem,
        answer: { accounts: [{ ...checking, owners: [{ names: ["Jane Doe"], emails: [] }] }] },
      }),
      sync_transactions: {
        args: { item: "main", cursor: "c0" },
        exchanges: [
          {
            request: "POST /transactions/sync",
            sent: { ...ofItem, cursor: "c0", count: 500 },
            answer: pageOf("tx_1", "c1", true),
          },
          {
            request: "POST /transactions/sync",
            sent: { ...ofItem, cursor: "c1", count: 500 },
            answer: pageOf("tx_2", "c2", false),
          },
        ],
        output: {
          added: [
            { ...transaction, transaction_id: "tx_1" },
            { ...transaction, transaction_id: "tx_2" },
          ],
          ...{ modified: [], removed: [], next_cursor: "c2", has_more: false },
        },
      },
      create_identity_verification: {
        ...call("/identity_verification/create", {
          args: { client_user_id: "person-7", template_id: "idvtmp_1", gave_consent: true },
          sent: {
            ...{ client_user_id: "person-7", template_id: "idvtmp_1", gave_consent: true },
            ...{ is_shareable: true, is_idempotent: true },
          },
          answer: verification,
        }),
        recognizedBy: "person-7",
      },
      get_identity_verification: call("/identity_verification/get", {
        args: { identity_verification_id: "idv_1" },
        sent: { identity_verification_id: "idv_1" },
        answer: verification,
      }),
      create_individual_screening: call("/watchlist_screening/individual/create", {
        args: { watchlist_program_id: "prg_1", ...searched, client_user_id: "person-7" },
        sent: { search_terms: { watchlist_program_id: "prg_1", ...searched }, client_user_id: "person-7" },
        answer: screening,
      }),
      get_individual_screening: call("/watchlist_screening/individual/get", {
        args: { watchlist_screening_id: "scr_1" },
        sent: { watchlist_screening_id: "scr_1" },
        answer: screening,
      }),
      create_entity_screening: call("/watchlist_screening/entity/create", {
        args: { entity_watchlist_program_id: "prg_2", ...searched },
        sent: { search_terms: { entity_watchlist_program_id: "prg_2", ...searched } },
        answer: screening,
      }),
      get_entity_screening: call("/watchlist_screening/entity/get", {
        args: { entity_watchlist_screening_id: "scr_1" },
        sent: { entity_watchlist_screening_id: "scr_1" },
        answer: screening,
      }),
      authorize_transfer: call("/transfer/authorization/create", {
        args: { item: "main", ...proposed },
        sent: { ...ofItem, ...proposed, idempotency_key: "AbCdEfGhIjKlMnOpQrStUvWxYz012345" },
        answer: { authorization: { id: "auth_1", decision: "approved", decision_rationale: null } },
        output: { id: "auth_1", decision: "approved", decision_rationale: null },
      }),
      create_transfer: {
        ...call("/transfer/create", {
          args: { item: "main", ...ordered },
          sent: { ...ofItem, ...ordered },
          answer: { transfer, request_id: "req_1" },
          output: transfer,
        }),
        recognizedBy: "auth_1",
      },
      get_transfer: call("/transfer/get", {
        args: { transfer_id: "tr_1" },
        sent: { transfer_id: "tr_1" },
        answer: { transfer, request_id: "req_1" },
        output: transfer,
      }),
    },
    inbound: {
      bodies: Object.fromEntries(events.map(({ type, sample }) => [type, JSON.stringify(sample)])),
      sign: (body, { nowMs, secrets }) => {
        const isOwn = secrets["secret"] === plaidProbeSecrets.secret;
        return { "Plaid-Verification": plaidSignature(body, nowMs, isOwn ? {} : { key: otherKey.privateKey }) };
      },
      header: "Plaid-Verification",
      key: [
        {
          request: "POST /webhook_verification_key/get",
          sent: { key_id: keyId },
          answer: { key: plaidKey, request_id: "req_1" },
        },
      ],
      toleranceMs: 300_000,
      misplaced: { body: JSON.stringify({ ...(events[0]?.sample as JsonObject), environment: "production" }) },
    },
  };
}

const proposed = {
  ...{ account_id: "acc_1", type: "credit", network: "ach", amount: "48.00", ach_class: "ppd" },
  user: { legal_name: "Jane Doe" },
};
const ordered = { account_id: "acc_1", authorization_id: "auth_1", amount: "48.00", description: "Refund" };

function call(
  path: string,
  facts: {
    readonly args: JsonObject;
    readonly sent: JsonValue;
    readonly answer: JsonValue;
    readonly output?: JsonValue;
  },
): ProbedCall {
  const { args, sent, answer, output } = facts;
  const exchanges = [{ request: `POST ${path}`, sent, answer }];
  return { args, exchanges, ...(output !== undefined && { output }) };
}
