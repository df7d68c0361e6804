/*
 * The harness of these tests: a real engine over in-memory storage behind the interface, called in process or over TCP.
 *
 *   listed-api.ts      connections with documents
 *   unreached-oauth.ts connections that a person would authorize
 *   checked-answers.ts checks every answer against the OpenAPI document
 */
import type { Environment, JsonObject, Permission } from "@procedo/contract";
import {
  createEngine,
  defineAction,
  defineIntegration,
  defineProcedure,
  systemClock,
  z,
  type Clock,
  type DocumentedIntegration,
  type Engine,
  type EngineOptions,
  type NewInvitation,
} from "@procedo/engine";
import {
  createHttp,
  openApiDocument,
  serveNode,
  type Http,
  type HttpOptions,
  type NodeListenerOptions,
} from "@procedo/http";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { onTestFinished } from "vitest";
import { checkAnswer } from "./checked-answers.ts";
import { listedApi } from "./listed-api.ts";
import { unreachedOAuth } from "./unreached-oauth.ts";

export const origin = "http://procedo.localhost";
/** The person who makes everything that a test needs: code that embeds the engine. */
export const owner = { person: "olga@procedo.test" };

/** An answer in the form that the tests check. */
export interface Answered {
  readonly status: number;
  readonly body: JsonObject;
  readonly text: string;
  readonly headers: Headers;
}

export interface AskOptions {
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly signal?: AbortSignal;
}

export interface Harness {
  readonly engine: Engine;
  readonly http: Http;
  readonly documents: typeof documents;
  /** The logged errors. */
  readonly logged: readonly string[];
  /** The logged warnings. */
  readonly warned: readonly string[];
  /** Ends the action `wait`. */
  release(): void;
  key(permissions?: readonly Permission[], environment?: Environment, person?: string): Promise<string>;
  /** A new person with a session, who signs in without a password. The person of `owner` exists from then on. */
  person(given?: NewPerson): Promise<SignedInPerson>;
  /** Calls `"POST /path"` in process; the answer is checked against the OpenAPI document. */
  ask(target: string, options?: AskOptions): Promise<Answered>;
  /** Starts a run with the key's permissions and returns its id. */
  run(procedureId: string, key: string, environment?: Environment): Promise<string>;
  /** Resolves when the run has ended, or waits for a person. */
  settled(runId: string, environment?: Environment): Promise<void>;
  /** Resolves when the run has ended. */
  ended(runId: string, environment?: Environment): Promise<void>;
  listen(options?: Partial<NodeListenerOptions>): Promise<Listening>;
  /** Stops the engine before the end of the test. */
  stop(): Promise<void>;
}

export interface NewPerson {
  /** @defaultValue a new one */
  readonly email?: string;
  /** @defaultValue none */
  readonly access?: NewInvitation["access"];
  readonly groups?: readonly string[];
}

/** A person of the service, and one of their sessions. */
export interface SignedInPerson {
  readonly personId: string;
  readonly email: string;
  readonly sessionId: string;
  /** The session's token. */
  readonly token: string;
  /** Begins another session, and returns its token. */
  signInAgain(): Promise<string>;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(drainMs?: number): Promise<void>;
}

export interface HarnessOptions extends Partial<
  Pick<
    HttpOptions,
    "ready" | "about" | "signIn" | "authenticate" | "onAnswered" | "requestsPerSecond" | "basePath" | "site"
  >
> {
  readonly clock?: Clock;
  /** @defaultValue one in memory */
  readonly storage?: Storage;
  /** The integration of connections with documents. @defaultValue {@link listedApi} */
  readonly documented?: DocumentedIntegration;
  /** In addition to those of every harness. @defaultValue none */
  readonly integrations?: EngineOptions["integrations"];
  /** Allowed in addition to the networks of this machine. */
  readonly egress?: EngineOptions["egress"];
  /** @defaultValue true */
  readonly started?: boolean;
}

/** The description of every harness's interface. */
export const openApi = openApiDocument({ runnerUrl: origin, appUrl: origin });

const anything = z.looseObject({});

/** Procedures: `echo` ends at once, `fail` fails, `ask` opens a review, `slow` waits for the harness. */
export const documents = {
  echo: defineProcedure({
    procedureId: "echo",
    name: "Echo",
    input: anything,
    nodes: {
      start: { kind: "start", next: "done" },
      done: { kind: "end", output: { said: "{{ input }}" } },
    },
  }),
  fail: defineProcedure({
    procedureId: "fail",
    name: "Fail",
    input: anything,
    nodes: {
      start: { kind: "start", next: "broken" },
      broken: { kind: "tool_call", connection: "desk", action: "refuse", arguments: {}, next: "done" },
      done: { kind: "end", output: {} },
    },
  }),
  ask: defineProcedure({
    procedureId: "ask",
    name: "Ask",
    input: z.looseObject({ amount: z.int() }),
    nodes: {
      start: { kind: "start", next: "approve" },
      approve: {
        kind: "human_review",
        title: "Pay {{ input.amount }}?",
        data: { amount: "{{ input.amount }}" },
        next: "done",
      },
      done: { kind: "end", output: { decision: "{{ nodes.approve.output }}" } },
    },
  }),
  slow: defineProcedure({
    procedureId: "slow",
    name: "Slow",
    input: anything,
    nodes: {
      start: { kind: "start", next: "waiting" },
      waiting: { kind: "tool_call", connection: "desk", action: "wait", arguments: {}, next: "done" },
      done: { kind: "end", output: {} },
    },
  }),
} as const;

let names = 0;
/** A name that no other thing of the tests has. */
export const newName = (): string => `n${(names += 1)}`;

export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { clock = systemClock, started = true, egress, documented = listedApi, integrations = [], ...others } = options;
  const { storage = createMemoryStorage({ now: clock.now }), ...settings } = others;
  const logged: string[] = [];
  const warned: string[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const desk = defineIntegration({
    name: "desk",
    actions: {
      refuse: defineAction({
        description: "Refuses.",
        input: anything,
        effect: "read",
        run: () => {
          throw new Error("The desk is closed.");
        },
      }),
      add: defineAction({
        description: "Adds an object to a list.",
        input: z.object({ list: z.array(z.json()) }),
        effect: "read",
        run: async ({ list }) => ({ list: [...list, {}] }),
      }),
      wait: defineAction({
        description: "Waits.",
        input: anything,
        effect: "idempotent",
        run: async () => {
          await released;
          return {};
        },
      }),
    },
  });
  const engine = createEngine({
    storage,
    integrations: [desk, documented, unreachedOAuth, ...integrations],
    masterKey: new Uint8Array(32).fill(7),
    egress: { allowNetworks: ["127.0.0.0/8"], ...egress },
    clock,
  });
  if (started) await engine.start();
  const stop = async (): Promise<void> => {
    release();
    await engine.stop({ drainMs: 0 });
  };
  onTestFinished(stop);
  const http = createHttp({
    engine,
    runnerUrl: origin,
    appUrl: origin,
    log: {
      info: () => {},
      warn: (message, fields) => void warned.push(`${message} ${JSON.stringify(fields)}`),
      error: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    },
    clock,
    ...settings,
  });
  for (const environment of ["sandbox", "live"] as const) {
    // An existing storage already has it.
    if ((await engine.connections.list({ environment, limit: 10 })).items.some(({ name }) => name === "desk")) continue;
    await engine.connections.create({ name: "desk", integration: "desk", environment, by: owner });
  }
  for (const document of Object.values(documents)) {
    await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox", "live"], by: owner });
  }

  const ask = async (target: string, asked: AskOptions = {}): Promise<Answered> => {
    const [method = "", path = ""] = target.split(/ (.*)/s);
    const {
      key,
      body,
      text = body === undefined ? undefined : JSON.stringify(body),
      headers = {},
      address,
      signal,
    } = asked;
    const request = new Request(`${origin}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(text !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
      ...(signal !== undefined && { signal }),
    });
    const response = await http.fetch(request, address === undefined ? {} : { address });
    return await checked(method, path, response);
  };

  const checked = async (method: string, path: string, response: Response): Promise<Answered> => {
    const answer = await read(response);
    checkAnswer(openApi, method, path, answer);
    return answer;
  };

  const reached = (runId: string, environment: Environment, statuses: readonly string[]): Promise<void> =>
    until(async () => statuses.includes((await engine.runs.get({ environment, runId })).status));

  const join = async ({ email = `${newName()}@procedo.test`, access = {}, groups = [] }: NewPerson) => {
    const isGiven = Object.values(access).some((roles) => roles.length > 0);
    const invited = isGiven ? access : { live: ["viewer" as const] };
    const { token } = await engine.people.invite({ email, access: invited, groups, by: owner });
    const person = await engine.people.accept({ token, name: email, identity: { issuer: "test", subject: email } });
    if (isGiven) return person;
    // Each invitation gives a role, which a person may lose.
    return await engine.people.update({ personId: person.personId, access: { live: [] }, by: owner });
  };
  let hasOwner = false;

  return {
    engine,
    documents,
    http,
    logged,
    warned,
    release: () => release(),
    stop,
    ask,
    key: async (permissions = ["run", "manage"], environment = "sandbox", person = owner.person) => {
      const { key } = await engine.keys.create({ name: "test", environment, permissions, by: owner, person });
      return key;
    },
    person: async (given = {}) => {
      if (!hasOwner)
        await join({ email: owner.person, access: { sandbox: ["owner", "reviewer"], live: ["owner", "reviewer"] } });
      hasOwner = true;
      const { personId, email } = await join(given);
      const signIn = () => engine.sessions.signInAs({ personId });
      const { token, session } = await signIn();
      return { personId, email, token, sessionId: session.sessionId, signInAgain: async () => (await signIn()).token };
    },
    run: async (procedureId, key, environment = "sandbox") => {
      const started = await ask(`POST /v1/procedures/${procedureId}/${environment}`, {
        key,
        body: { data: { amount: 5 } },
      });
      return textOf(started.body["runId"]);
    },
    settled: (runId, environment = "sandbox") =>
      reached(runId, environment, ["awaiting_review", "completed", "failed"]),
    ended: (runId, environment = "sandbox") => reached(runId, environment, ["completed", "failed"]),
    listen: async (listening = {}) => {
      const listener = await serveNode(http, { port: 0, ...listening });
      onTestFinished(() => listener.close({ drainMs: 0 }));
      const { port } = listener;
      return { url: `http://127.0.0.1:${port}`, port, close: (drainMs = 0) => listener.close({ drainMs }) };
    },
  };
}

/** A document as plain JSON: its type has no index signature. */
export function asJson(document: object): JsonObject {
  return document as JsonObject;
}

/** A text field of an answer; empty if it is missing. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Checks repeatedly, each time after everything that was ready has run. */
export async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setImmediate(resolve));
}

export async function read(response: Response): Promise<Answered> {
  // A stream has no end of its own.
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    return { status: response.status, text: "", body: {}, headers: response.headers };
  }
  const text = await response.text();
  const body = (text === "" ? {} : JSON.parse(text)) as JsonObject;
  return { status: response.status, text, body, headers: response.headers };
}
