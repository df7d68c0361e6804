import type { Storage } from "@procedo/storage";

type StoreName = Exclude<keyof Storage, "watch" | "close">;

/** A verb of the storage port by its full name, such as `"runs.commit"`. */
export type VerbName = { [Name in StoreName]: `${Name}.${keyof Storage[Name] & string}` }[StoreName];

type Verb<Name extends VerbName> = Name extends `${infer Store extends StoreName}.${infer Method}`
  ? Method extends keyof Storage[Store]
    ? Extract<Storage[Store][Method], (...request: never[]) => unknown>
    : never
  : never;

/**
 * Runs in place of a verb. `send()` passes the request on to storage, and `send(other)` passes another request on. A
 * hook can therefore fail before or after the work is done, delay it, repeat it, observe it or change its result.
 */
export type VerbHook<Name extends VerbName> = (
  send: (...changed: Parameters<Verb<Name>> | []) => ReturnType<Verb<Name>>,
  ...request: Parameters<Verb<Name>>
) => ReturnType<Verb<Name>>;

export type VerbHooks = { readonly [Name in VerbName]?: VerbHook<Name> };

/** Runs in place of every verb. */
export type AnyVerbHook = (
  send: (...changed: readonly unknown[]) => Promise<unknown>,
  verb: VerbName,
  ...request: readonly unknown[]
) => Promise<unknown>;

/** A view of a storage in which these hooks run in place of their verbs. All other verbs go straight to the storage. */
export function interceptVerbs(storage: Storage, hooks: VerbHooks): Storage {
  const byName = hooks as Readonly<Record<string, (...call: readonly unknown[]) => Promise<unknown>>>;
  return view(storage, (verb, send) => {
    const hook = byName[verb];
    return hook === undefined ? send : (...request) => hook(sender(send, request), ...request);
  });
}

/** A view of a storage in which this hook runs in place of every verb. */
export function interceptEveryVerb(storage: Storage, hook: AnyVerbHook): Storage {
  return view(
    storage,
    (verb, send) =>
      (...request) =>
        hook(sender(send, request), verb, ...request),
  );
}

type AnyVerb = (...request: readonly unknown[]) => Promise<unknown>;

function sender(send: AnyVerb, request: readonly unknown[]): AnyVerb {
  return (...changed) => send(...(changed.length === 0 ? request : changed));
}

function view(storage: Storage, wrap: (verb: VerbName, send: AnyVerb) => AnyVerb): Storage {
  const storeView = <Name extends StoreName>(name: Name): Storage[Name] =>
    new Proxy<Storage[Name]>(storage[name], {
      get: (store, method) => {
        const member: unknown = Reflect.get(store, method);
        // A store may be an instance of a class, whose methods need it as `this`.
        return typeof member === "function"
          ? wrap(`${name}.${String(method)}` as VerbName, member.bind(store) as AnyVerb)
          : member;
      },
    });
  return {
    runs: storeView("runs"),
    inbox: storeView("inbox"),
    reviews: storeView("reviews"),
    invocations: storeView("invocations"),
    budgets: storeView("budgets"),
    workers: storeView("workers"),
    deliveries: storeView("deliveries"),
    triggers: storeView("triggers"),
    procedures: storeView("procedures"),
    records: storeView("records"),
    sessions: storeView("sessions"),
    audit: storeView("audit"),
    retention: storeView("retention"),
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}
