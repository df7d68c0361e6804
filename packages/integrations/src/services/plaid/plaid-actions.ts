import type { JsonValue } from "@procedo/contract";
import type { ActionDefinition } from "@procedo/engine";
import * as z from "zod";
import type { ListOutput, Service, ServiceFields, ServiceRequest, ServiceValue } from "../../kit/index.ts";
import type { PlaidSecrets } from "./plaid-connection.ts";
import * as inputs from "./plaid-inputs.ts";
import * as outputs from "./plaid-outputs.ts";

interface PlaidActions {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, unknown, PlaidSecrets>;
}

/** The actions of Plaid. */
export function plaidActions(service: Service<unknown, PlaidSecrets>): PlaidActions {
  return { ...bankActions(service), ...screeningActions(service), ...transferActions(service) };
}

function bankActions({ action, list }: Service<unknown, PlaidSecrets>): PlaidActions {
  return {
    get_item: action({
      description: "Reads the state of an item: its bank, its last error, and the end of the owner's consent.",
      effect: "read",
      input: inputs.itemInput,
      output: outputs.itemOutput,
      request: ({ item }) => ofItem(item, "/item/get"),
      read: (body) => memberOf(body, "item"),
    }),
    get_accounts: action({
      description: "Reads the accounts of an item, with the balances of the last update.",
      effect: "read",
      input: inputs.accountsInput,
      output: outputs.accountsOutput,
      request: ({ item, account_ids }) => ofItem(item, "/accounts/get", { options: optionsOf({ account_ids }) }),
    }),
    get_account_numbers: action({
      description: "Reads the account and routing numbers of an item's accounts, or their IBANs.",
      effect: "read",
      input: inputs.accountsInput,
      output: outputs.numbersOutput,
      request: ({ item, account_ids }) => ofItem(item, "/auth/get", { options: optionsOf({ account_ids }) }),
    }),
    get_identity: action({
      description: "Reads the owners of an item's accounts, as the bank knows them.",
      effect: "read",
      input: inputs.accountsInput,
      output: outputs.identityOutput,
      request: ({ item, account_ids }) => ofItem(item, "/identity/get", { options: optionsOf({ account_ids }) }),
    }),
    sync_transactions: list({
      description: "Reads the transactions that were added, changed and removed since an earlier call.",
      input: inputs.transactionsInput,
      request: ({ item, cursor, account_id }) =>
        ofItem(item, "/transactions/sync", { cursor, count: 500, options: optionsOf({ account_id }) }),
      // Each page is one item of the list, because its three lists belong together.
      items: (body) => [body],
      next: (body, sent) => {
        const { has_more, next_cursor } = page.parse(body);
        const asked = isFields(sent.json) ? sent.json : {};
        return has_more ? { ...sent, json: { ...asked, cursor: next_cursor } } : undefined;
      },
      output: changes,
    }),
  };
}

function screeningActions({ action }: Service<unknown, PlaidSecrets>): PlaidActions {
  return {
    create_identity_verification: action({
      description: "Begins the verification of a person's identity, or returns the one that was begun before.",
      // The same person and template give the same verification, however often.
      effect: "idempotent",
      input: inputs.identityVerificationInput,
      output: outputs.identityVerificationOutput,
      request: (input) => post("/identity_verification/create", { ...input, is_idempotent: true }),
    }),
    get_identity_verification: action({
      description: "Reads the state of an identity verification.",
      effect: "read",
      input: z.object({ identity_verification_id: z.string().min(1).max(128) }),
      output: outputs.identityVerificationOutput,
      request: (input) => post("/identity_verification/get", input),
    }),
    create_individual_screening: action({
      description: "Screens a person against sanctions and other watchlists, now and when the lists change.",
      effect: "once",
      input: inputs.individualScreeningInput,
      output: outputs.screeningOutput,
      request: ({ client_user_id, ...search_terms }) =>
        post("/watchlist_screening/individual/create", { search_terms, client_user_id }),
    }),
    get_individual_screening: action({
      description: "Reads the state of a person's screening.",
      effect: "read",
      input: z.object({ watchlist_screening_id: z.string().min(1).max(128) }),
      output: outputs.screeningOutput,
      request: (input) => post("/watchlist_screening/individual/get", input),
    }),
    create_entity_screening: action({
      description: "Screens a company against sanctions and other watchlists, now and when the lists change.",
      effect: "once",
      input: inputs.entityScreeningInput,
      output: outputs.screeningOutput,
      request: ({ client_user_id, ...search_terms }) =>
        post("/watchlist_screening/entity/create", { search_terms, client_user_id }),
    }),
    get_entity_screening: action({
      description: "Reads the state of a company's screening.",
      effect: "read",
      input: z.object({ entity_watchlist_screening_id: z.string().min(1).max(128) }),
      output: outputs.screeningOutput,
      request: (input) => post("/watchlist_screening/entity/get", input),
    }),
  };
}

const hourMs = 3_600_000;

function transferActions({ action }: Service<unknown, PlaidSecrets>): PlaidActions {
  return {
    authorize_transfer: action({
      description:
        "Asks whether a transfer can be made. Moves no money: an approved authorization permits one transfer.",
      effect: "idempotent",
      idempotencyKeyTtlMs: 48 * hourMs,
      input: inputs.transferAuthorizationInput,
      output: outputs.authorizationOutput,
      request: ({ item, ...transfer }) => ({
        ...ofItem(item, "/transfer/authorization/create", transfer),
        idempotency: { member: "idempotency_key" },
      }),
      read: (body) => memberOf(body, "authorization"),
    }),
    create_transfer: action({
      description: "Makes the transfer of an approved authorization. Money moves.",
      // An authorization permits one transfer, so that its id has the part of an idempotency key.
      effect: "idempotent",
      input: inputs.transferInput,
      output: outputs.transferOutput,
      request: ({ item, ...transfer }) => ofItem(item, "/transfer/create", transfer),
      read: (body) => memberOf(body, "transfer"),
    }),
    get_transfer: action({
      description: "Reads the state of a transfer.",
      effect: "read",
      input: z.object({ transfer_id: z.string().min(1).max(128) }),
      output: outputs.transferOutput,
      request: (input) => post("/transfer/get", input),
      read: (body) => memberOf(body, "transfer"),
    }),
  };
}

function post(path: string, json: ServiceValue): ServiceRequest {
  return { method: "POST", path, json };
}

/** A request with the access token of an item. */
function ofItem(item: string, path: string, json: ServiceValue = {}): ServiceRequest {
  return { ...post(path, json), secrets: { access_token: `item:${item}` } };
}

/** The options of a request; left out when none is given. */
function optionsOf(options: { readonly [name: string]: ServiceValue }): ServiceValue {
  return Object.values(options).some((option) => option !== undefined) ? options : undefined;
}

function isFields(value: ServiceValue): value is ServiceFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const page = z.looseObject({
  added: z.array(z.json()),
  modified: z.array(z.json()),
  removed: z.array(z.json()),
  next_cursor: z.string(),
  has_more: z.boolean(),
});

/** The changes of all pages, in their order. */
const changes: ListOutput = {
  schema: outputs.transactionsOutput,
  read: ({ items }) => {
    const pages = items.map((one) => page.parse(one));
    const last = pages.at(-1);
    return {
      added: pages.flatMap(({ added }) => added),
      modified: pages.flatMap(({ modified }) => modified),
      removed: pages.flatMap(({ removed }) => removed),
      next_cursor: last?.next_cursor ?? "",
      has_more: last?.has_more ?? false,
    };
  },
};

function memberOf(body: JsonValue, name: string): JsonValue {
  return z.record(z.string(), z.json()).parse(body)[name] ?? null;
}
