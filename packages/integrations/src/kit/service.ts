/*
 * The kit for integrations of services with an HTTP interface.
 *
 *   service-http.ts     the base URL, credentials, idempotency key and refusals of a service
 *   service-request.ts  a request of an action as data, and its bytes; before-sending.ts: faults before it is sent
 *   ask-service.ts      sends a request, and interprets the answer; answered-credentials.ts: those in an answer
 *   refusal-message.ts  the words of a refusal
 *   earlier-result.ts   finds the result of a call that the service refuses to repeat
 *   service.ts          actions that are one request, or a list of pages (read-pages.ts)
 *   signed-form.ts      forms that a service sends
 */
import type { JsonObject, JsonValue } from "@procedo/contract";
import {
  ActionAnswer,
  ActionError,
  type ActionContext,
  type ActionDefinition,
  type ActionEffect,
  type Exchange,
} from "@procedo/engine";
import * as z from "zod";
import { credentialsIn } from "./answered-credentials.ts";
import { beforeSending } from "./before-sending.ts";
import { askService, type ServiceAnswer, type ServiceContext } from "./ask-service.ts";
import { earlierResult, type EarlierResult } from "./earlier-result.ts";
import { readPages, type ReadPages, type ServicePages } from "./read-pages.ts";
import type { ServiceHttp } from "./service-http.ts";
import type { ServiceRequest } from "./service-request.ts";

/** Makes the actions of a service. */
export interface Service<Settings, Secrets> {
  /** An action that sends one request. */
  readonly action: <Input extends z.ZodObject, Output extends z.ZodType>(
    definition: ServiceAction<Input, Output, Settings>,
  ) => ActionDefinition<z.ZodObject, z.ZodType, Settings, Secrets>;
  /**
   * An action that reads a list, page after page. Its output is `{ items, pages, hasMore }`; `hasMore` says that the list
   * goes on beyond its bounds.
   */
  readonly list: <Input extends z.ZodObject, Item extends z.ZodType>(
    definition: ServiceList<Input, Item, Settings>,
  ) => ActionDefinition<z.ZodObject, z.ZodType, Settings, Secrets>;
  /**
   * Sends a request within an action that is more than one request, or in `account`.
   *
   * @param effect - `read` sends no idempotency key
   * @throws ActionError when the service did not do the work, or when its answer cannot be used
   */
  readonly ask: (
    context: ServiceContext<Settings, Secrets>,
    effect: ActionEffect,
    request: ServiceRequest,
  ) => Promise<JsonValue>;
  /**
   * Reads a list page after page, for the events of a past period or within an action that is more than one request.
   *
   * @throws ActionError when a page cannot be read
   */
  readonly pages: (
    context: ServiceContext<Settings, Secrets>,
    request: ServiceRequest,
    pages: ServicePages,
  ) => Promise<ReadPages>;
  /** An event of the service with its credentials replaced, as in answers: those of `credentialMembers`. Pure. */
  readonly withoutCredentials: (event: JsonValue) => JsonValue;
}

/** An action that sends one request. */
export interface ServiceAction<Input extends z.ZodObject, Output extends z.ZodType, Settings> {
  /** The purpose of the action, for the people who build procedures and for the agent. */
  readonly description: string;
  /** The effect of a repeated call: `read`, `idempotent` or `once`. */
  readonly effect: ActionEffect;
  /** Schema of the arguments. */
  readonly input: Input;
  /** Schema of the output, for expressions. The answer is not checked against it. @defaultValue any JSON value */
  readonly output?: Output;
  /** Time limit of one attempt, in milliseconds, 1 to 3600000. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /** Time for which the service keeps an idempotency key, in milliseconds. @defaultValue 86400000, a day */
  readonly idempotencyKeyTtlMs?: number;
  /**
   * `retry`: a call of unknown outcome is made again without asking a person, because a second one does little harm. Only
   * for `effect: "once"`. @defaultValue a person decides
   */
  readonly onUnknownOutcome?: "retry";
  /** The request for these arguments. Pure. */
  readonly request: (input: z.output<Input>, connection: { readonly settings: Settings }) => ServiceRequest;
  /** The output in the answer's body. Pure. @defaultValue the body */
  readonly read?: (body: JsonValue) => JsonValue;
  /** How the result of a call is found that the service refuses to repeat. @defaultValue a refusal is final */
  readonly earlier?: EarlierResult<z.output<Input>>;
}

/** An action that reads a list. */
export interface ServiceList<Input extends z.ZodObject, Item extends z.ZodType, Settings>
  extends Pick<ServiceAction<Input, Item, Settings>, "description" | "input" | "timeoutMs" | "request">, ServicePages {
  /** Schema of an item, for expressions. @defaultValue any JSON value */
  readonly item?: Item;
  /** Another output, which is made of the list. Pure. @defaultValue `{ items, pages, hasMore }` */
  readonly output?: ListOutput;
}

/** The output that is made of a list. */
export interface ListOutput {
  /** Schema of the output, for expressions. */
  readonly schema: z.ZodType;
  /** The output. Pure. */
  readonly read: (list: ReadPages) => JsonValue;
}

/**
 * Makes the actions of a service from its requests.
 *
 * @example
 * const bank = createService<{ account: string }, { token: string }>({
 *   baseUrl: ({ environment }) => (environment === "live" ? "https://api.bank.example" : "https://sandbox.bank.example"),
 *   credentials: ({ secrets }) => ({ authorization: `Bearer ${secrets.token}` }),
 *   idempotency: { header: "Idempotency-Key" },
 * });
 * const pay = bank.action({
 *   description: "Pays a supplier.",
 *   effect: "idempotent",
 *   input: z.object({ iban: z.string(), cents: z.int() }),
 *   request: (input) => ({ method: "POST", path: "/payments", json: input }),
 * });
 */
export function createService<Settings = JsonObject, Secrets = { readonly [name: string]: string }>(
  http: ServiceHttp<Settings, Secrets>,
): Service<Settings, Secrets> {
  return {
    action: ({ request, read = (body) => body, earlier, ...definition }) => {
      const run = async (input: unknown, context: ActionContext<Settings, Secrets>): Promise<ActionAnswer> => {
        const sent = beforeSending(() => request(input as never, context));
        const asked = askService(http, context, definition.effect, sent);
        if (earlier === undefined) return readOutput(await asked, read);
        const found = (wanted: ServiceRequest) => askService(http, context, "read", wanted);
        const answer = await asked.catch((error: unknown) => earlierResult(earlier, error, input as never, found));
        return readOutput(answer, read);
      };
      return { ...definition, run };
    },

    list: ({ request, item = z.json(), output: made, description, input, timeoutMs, ...pages }) => {
      const run = async (given: unknown, context: ActionContext<Settings, Secrets>): Promise<ActionAnswer> => {
        let last: Exchange | undefined;
        const ask = async (asked: ServiceRequest): Promise<JsonValue> => {
          const answer = await askService(http, context, "read", asked);
          last = answer.exchange;
          return usable(answer);
        };
        const first = beforeSending(() => request(given as never, context));
        const found = await readPages(pages, first, ask);
        return new ActionAnswer(made?.read(found) ?? found, last === undefined ? {} : { exchange: last });
      };
      const output = made?.schema ?? z.object({ items: z.array(item), pages: z.int(), hasMore: z.boolean() });
      const definition = { description, effect: "read", input, output, ...(timeoutMs !== undefined && { timeoutMs }) };
      return { ...definition, run } as ActionDefinition<z.ZodObject, z.ZodType, Settings, Secrets>;
    },

    ask: async (context, effect, request) => usable(await askService(http, context, effect, request)),

    pages: (context, request, pages) =>
      readPages(pages, request, async (asked) => usable(await askService(http, context, "read", asked))),

    withoutCredentials: (event) => credentialsIn(event, http.credentialMembers).value(event),
  };
}

/** The work is done, so that an answer in another form than expected is not a failure of the call. */
function readOutput(
  { body, unusable: problem, exchange }: ServiceAnswer,
  read: (body: JsonValue) => JsonValue,
): ActionAnswer {
  if (problem !== undefined) return new ActionAnswer(body, { exchange, unusable: problem });
  try {
    return new ActionAnswer(read(body), { exchange });
  } catch (error) {
    return new ActionAnswer(body, { exchange, unusable: `cannot be read: ${String(error)}` });
  }
}

function usable({ body, unusable: problem, exchange }: ServiceAnswer): JsonValue {
  if (problem === undefined) return body;
  throw new ActionError(`The service answered ${problem}.`, { outcome: "unknown", exchange });
}
