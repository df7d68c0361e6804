import type * as sdk from "plaid";
import { expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { plaidWebhooks } from "./plaid-events.ts";
import type * as inputs from "./plaid-inputs.ts";
import type * as outputs from "./plaid-outputs.ts";

/** A type of the SDK with the texts of its enumerations. */
type Plain<Type> = Type extends string
  ? `${Type}`
  : Type extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Type extends object
      ? { [Name in keyof Type]: Plain<Type[Name]> }
      : Type;
/** Arguments, whose absent members are absent from the request. */
type Sent<Type> = Type extends readonly (infer Item)[]
  ? Sent<Item>[]
  : Type extends object
    ? { [Name in keyof Type]: Sent<Exclude<Type[Name], undefined>> }
    : Type;
type Arguments<Schema extends z.ZodType> = Omit<Sent<z.output<Schema>>, "item">;
/** A request without the parts that the connection adds. */
type Body<Request> = Omit<Plain<Request>, "access_token" | "client_id" | "secret">;

test("arguments are members of the requests in Plaid's SDK, with their types", () => {
  type Authorization = Arguments<typeof inputs.transferAuthorizationInput>;
  expectTypeOf<Authorization>().toExtend<Body<sdk.TransferAuthorizationCreateRequest>>();
  expectTypeOf<keyof Authorization>().toExtend<keyof sdk.TransferAuthorizationCreateRequest>();

  type Transfer = Arguments<typeof inputs.transferInput>;
  expectTypeOf<Transfer>().toExtend<Body<sdk.TransferCreateRequest>>();
  expectTypeOf<keyof Transfer>().toExtend<keyof sdk.TransferCreateRequest>();

  type Verification = Arguments<typeof inputs.identityVerificationInput>;
  expectTypeOf<Verification>().toExtend<Body<sdk.IdentityVerificationCreateRequest>>();
  expectTypeOf<keyof Verification>().toExtend<keyof sdk.IdentityVerificationCreateRequest>();

  type Individual = Omit<Arguments<typeof inputs.individualScreeningInput>, "client_user_id">;
  expectTypeOf<Individual>().toExtend<Plain<sdk.WatchlistScreeningRequestSearchTerms>>();
  expectTypeOf<keyof Individual>().toExtend<keyof sdk.WatchlistScreeningRequestSearchTerms>();

  type Entity = Omit<Arguments<typeof inputs.entityScreeningInput>, "client_user_id">;
  expectTypeOf<Entity>().toExtend<Plain<sdk.EntityWatchlistSearchTerms>>();
  expectTypeOf<keyof Entity>().toExtend<keyof sdk.EntityWatchlistSearchTerms>();

  type Accounts = NonNullable<sdk.AccountsGetRequest["options"] & sdk.AuthGetRequest["options"]>;
  expectTypeOf<Arguments<typeof inputs.accountsInput>>().toExtend<Accounts>();
});

test("answers of Plaid's SDK fit the schemas of outputs", () => {
  expectTypeOf<Plain<sdk.AccountBase>>().toExtend<z.input<typeof outputs.account>>();
  expectTypeOf<Plain<sdk.ItemWithConsentFields>>().toExtend<z.input<typeof outputs.itemOutput>>();
  expectTypeOf<Plain<sdk.AuthGetResponse>>().toExtend<z.input<typeof outputs.numbersOutput>>();
  expectTypeOf<Plain<sdk.IdentityGetResponse>>().toExtend<z.input<typeof outputs.identityOutput>>();
  expectTypeOf<Plain<sdk.Transaction>>().toExtend<z.input<typeof outputs.transaction>>();
  expectTypeOf<Plain<sdk.RemovedTransaction>>().toExtend<z.input<typeof outputs.removedTransaction>>();
  expectTypeOf<Plain<sdk.IdentityVerificationGetResponse>>().toExtend<
    z.input<typeof outputs.identityVerificationOutput>
  >();
  expectTypeOf<Plain<sdk.WatchlistScreeningIndividualCreateResponse>>().toExtend<
    z.input<typeof outputs.screeningOutput>
  >();
  expectTypeOf<Plain<sdk.WatchlistScreeningEntityCreateResponse>>().toExtend<z.input<typeof outputs.screeningOutput>>();
  expectTypeOf<Plain<sdk.TransferAuthorization>>().toExtend<z.input<typeof outputs.authorizationOutput>>();
  expectTypeOf<Plain<sdk.Transfer>>().toExtend<z.input<typeof outputs.transferOutput>>();
});

test("webhooks of Plaid's SDK fit the schemas of events", () => {
  type Webhooks = typeof plaidWebhooks;
  type Event<Type extends keyof Webhooks> = z.input<Webhooks[Type]["schema"]>;
  expectTypeOf<Plain<sdk.SyncUpdatesAvailableWebhook>>().toExtend<Event<"TRANSACTIONS.SYNC_UPDATES_AVAILABLE">>();
  expectTypeOf<Plain<sdk.ItemErrorWebhook>>().toExtend<Event<"ITEM.ERROR">>();
  expectTypeOf<Plain<sdk.ItemLoginRepairedWebhook>>().toExtend<Event<"ITEM.LOGIN_REPAIRED">>();
  expectTypeOf<Plain<sdk.PendingDisconnectWebhook>>().toExtend<Event<"ITEM.PENDING_DISCONNECT">>();
  expectTypeOf<Plain<sdk.PendingExpirationWebhook>>().toExtend<Event<"ITEM.PENDING_EXPIRATION">>();
  expectTypeOf<Plain<sdk.UserPermissionRevokedWebhook>>().toExtend<Event<"ITEM.USER_PERMISSION_REVOKED">>();
  expectTypeOf<Plain<sdk.TransferEventsUpdateWebhook>>().toExtend<Event<"TRANSFER.TRANSFER_EVENTS_UPDATE">>();
  expectTypeOf<Plain<sdk.IdentityVerificationStatusUpdatedWebhook>>().toExtend<
    Event<"IDENTITY_VERIFICATION.STATUS_UPDATED">
  >();
  expectTypeOf<Plain<sdk.ScreeningStatusUpdatedWebhook>>().toExtend<Event<"SCREENING.STATUS_UPDATED">>();
  expectTypeOf<Plain<sdk.EntityScreeningStatusUpdatedWebhook>>().toExtend<Event<"ENTITY_SCREENING.STATUS_UPDATED">>();
});
